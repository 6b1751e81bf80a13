import type { Country } from '@switchboard/contract/places/countries'
import { useState } from 'react'
import { SearchSelect } from '#src/ui/form/search-select.tsx'
import { countriesLike } from './country-search.ts'

/** Longer than the longest name of a country. */
const TYPED_MAX = 60

type Props = { value: Country | null; error: boolean | string; onChange: (country: Country | null) => void }

/** One of the countries of the world, found by typing. */
export function CountrySelect({ value, error, onChange }: Props) {
  const [term, setTerm] = useState('')
  const countries = countriesLike(term)
  return (
    <SearchSelect
      label="Country"
      placeholder="Choose a country"
      value={value && { value, label: value }}
      choices={countries.map((name) => ({ value: name, label: name }))}
      emptyText="No country found"
      maxLength={TYPED_MAX}
      error={error}
      required
      pushesDown
      onSearch={setTerm}
      onOpen={() => setTerm('')}
      onChange={(name) => onChange(countries.find((one) => one === name) ?? null)}
    />
  )
}
