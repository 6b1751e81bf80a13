import { expect, test } from 'vitest'
import { countriesLike } from './country-search.ts'

const cases: [string, string[]][] = [
  ['cote', ["Côte d'Ivoire"]],
  ["COTE D'IV", ["Côte d'Ivoire"]],
  ['turki', ['Türkiye']],
  ['guinea-b', ['Guinea-Bissau']],
  ['  united  k', ['United Kingdom']],
  ['niger', ['Niger', 'Nigeria']],
  ['guinea', ['Guinea', 'Guinea-Bissau', 'Equatorial Guinea', 'Papua New Guinea']],
  ['korea', ['North Korea', 'South Korea']],
  ['atlantis', []],
]
test.for(cases)('"%s" may mean %s', ([typed, countries]) => {
  expect(countriesLike(typed)).toEqual(countries)
})

test('nothing typed may mean any of them', () => {
  expect(countriesLike('')).toHaveLength(197)
})
