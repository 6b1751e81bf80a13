import { COUNTRIES, type Country } from '@switchboard/contract/places/countries'

/** The countries that a typed text may mean: first those that begin with it, then those with a word that does. */
export function countriesLike(typed: string): Country[] {
  const term = plain(typed)
  const begins = COUNTRIES.filter((name) => plain(name).startsWith(term))
  const holds = COUNTRIES.filter((name) => !begins.includes(name) && plain(name).includes(` ${term}`))
  return [...begins, ...holds]
}

/** As people type who have no accents on their keys: "Côte d'Ivoire" is "cote d ivoire", "Türkiye" is "turkiye". */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()
}
