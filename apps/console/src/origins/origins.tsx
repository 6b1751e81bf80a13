import { useState } from 'react'
import css from './origins.module.css'

const SHOWN_AT_FIRST = 2

/** Allowed origins of a key, one per line: the first two, and all after a click. */
export function Origins({ keyName, origins }: { keyName: string; origins: readonly string[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const shown = isOpen ? origins : origins.slice(0, SHOWN_AT_FIRST)
  const more = origins.length - SHOWN_AT_FIRST
  return (
    <>
      {shown.map((origin) => (
        <div key={origin} className={css.origin} data-tooltip="cut">
          {origin.replace('https://', '')}
        </div>
      ))}
      {more > 0 && (
        <button
          type="button"
          className={css.more}
          aria-expanded={isOpen}
          aria-label={isOpen ? `Fewer origins of ${keyName}` : `and ${more} more origins of ${keyName}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Fewer' : `and ${more} more`}
        </button>
      )}
    </>
  )
}
