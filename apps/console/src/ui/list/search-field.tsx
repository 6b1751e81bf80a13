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
  // On a busy machine, `value` follows a search late, while more is typed.
  const [searched, setSearched] = useState<readonly string[]>([])
  const search = useDebouncedCallback((text: string) => {
    // "Clear Filters" may have come in between.
    if (text !== typed.trim()) return
    if (text !== value) setSearched((texts) => [...texts, text])
    onSearch(text)
  }, SEARCH_AFTER_MS)

  if (value !== lastValue) {
    const own = searched.indexOf(value)
    setLastValue(value)
    setSearched(own === -1 ? [] : searched.slice(own + 1))
    // Changed from outside: by Back or by "Clear Filters".
    if (own === -1) setTyped(value)
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
