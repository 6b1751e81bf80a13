import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

const SEARCH_AFTER_MS = 250

type Props = { label: string; value: string; maxLength: number; onSearch: (text: string) => void }

/** A search that starts when the typing pauses. It follows `value`, so that Back brings back the text as well. */
export function SearchField({ label, value, maxLength, onSearch }: Props) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const search = useDebouncedCallback((text: string) => {
    setKnown(text)
    onSearch(text)
  }, SEARCH_AFTER_MS)

  // Somebody else changed it: Back, or "Clear filters".
  if (value !== known) {
    setKnown(value)
    setTyped(value)
  }

  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={maxLength}
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        search(event.currentTarget.value.trim())
      }}
    />
  )
}
