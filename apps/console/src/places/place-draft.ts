import { country, type Country } from '@switchboard/contract/places/countries'

/** What stands in the fields of a look-up. */
export type PlaceDraft = { tenant_name: string; city: string; state: string; country: Country | null }

/**
 * What a look-up begins with: the fields of an earlier one by the text that Google was asked
 * (`Acme Dental, Austin, Texas, United States`), otherwise a name alone. Where commas in a name make it fall apart
 * another way than it was typed, the fields still make the same text.
 */
export function placeDraft(query: string | undefined, name: string): PlaceDraft {
  const parts = query?.split(', ') ?? []
  const known = country.safeParse(parts.pop())
  if (!known.success || parts.length < 2) return { tenant_name: name, city: '', state: '', country: null }
  const state = parts.length === 2 ? '' : (parts.pop() ?? '')
  const city = parts.pop() ?? ''
  return { tenant_name: parts.join(', '), city, state, country: known.data }
}
