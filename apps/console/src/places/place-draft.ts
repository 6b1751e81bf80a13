import { country, type Country } from '@switchboard/contract/places/countries'

/** Values of the look-up form. */
export type PlaceDraft = { tenant_name: string; city: string; state: string; country: Country | null }

/**
 * Initial values of a look-up: the fields of an earlier look-up, parsed from its query
 * (`Acme Dental, Austin, Texas, United States`), otherwise only a name. Commas in a name may split the
 * query differently, but the fields still form the same query.
 */
export function placeDraft(query: string | undefined, name: string): PlaceDraft {
  const parts = query?.split(', ') ?? []
  const parsed = country.safeParse(parts.pop())
  if (!parsed.success || parts.length < 2) return { tenant_name: name, city: '', state: '', country: null }
  const state = parts.length === 2 ? '' : (parts.pop() ?? '')
  const city = parts.pop() ?? ''
  return { tenant_name: parts.join(', '), city, state, country: parsed.data }
}
