import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import css from '#src/ui/field/field.module.css'
import { focusRow } from '#src/ui/dialog/use-focus-return.ts'

const SEARCH_AFTER_MS = 250

type Props = { label: string; value: string; maxLength: number; onSearch: (text: string) => void }

/** Debounced search field. Follows `value`, so that Back also restores the text. */
export function SearchField({ label, value, maxLength, onSearch }: Props) {
  const [typed, setTyped] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  const search = useDebouncedCallback((text: string) => {
    setLastValue(text)
    onSearch(text)
  }, SEARCH_AFTER_MS)

  // Changed from outside: by Back or by "Clear Filters".
  if (value !== lastValue) {
    setLastValue(value)
    setTyped(value)
  }

  return (
    <span className={css.field}>
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={maxLength}
        aria-keyshortcuts="/"
        className={`${css.input} ${css.search}`}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && focusRow()) event.preventDefault()
        }}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          search(event.currentTarget.value.trim())
        }}
      />
      <IconSearch size={16} aria-hidden />
    </span>
  )
}
