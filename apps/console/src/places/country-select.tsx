import type { Country } from '@switchboard/contract/places/countries'
import { useState } from 'react'
import { SearchSelect } from '#src/ui/field/search-select.tsx'
import type { Control } from '#src/ui/form/use-form-frame.ts'
import { countriesLike } from './country-search.ts'

const TYPED_MAX = 60

/** A searchable list of countries. */
export function CountrySelect({ value, onChange, ...field }: Control<Country | null>) {
  const [term, setTerm] = useState('')
  const countries = countriesLike(term)
  return (
    <SearchSelect
      label="Country"
      placeholder="Choose a country"
      value={value && { value, label: value }}
      options={countries.map((name) => ({ value: name, label: name }))}
      emptyText="No country found"
      maxLength={TYPED_MAX}
      required
      pushesDown
      onSearch={setTerm}
      onOpen={() => setTerm('')}
      {...field}
      onChange={(name) => onChange(countries.find((country) => country === name) ?? null)}
    />
  )
}
