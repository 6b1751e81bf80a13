import { COUNTRIES, type Country } from '@switchboard/contract/places/countries'

/** Countries matching a typed text: names with this prefix first, then names with a word with this prefix. */
export function countriesLike(typed: string): Country[] {
  const term = plain(typed)
  const prefixed = COUNTRIES.filter((name) => plain(name).startsWith(term))
  const others = COUNTRIES.filter((name) => !prefixed.includes(name) && plain(name).includes(` ${term}`))
  return [...prefixed, ...others]
}

/** Text without accents and punctuation: "Côte d'Ivoire" is "cote d ivoire", "Türkiye" is "turkiye". */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()
}
