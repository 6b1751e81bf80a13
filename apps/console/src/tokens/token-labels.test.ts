import { expect, test } from 'vitest'
import { networksText, typedNetworks } from './token-labels.ts'

test.for([
  ['', []],
  [' \n', []],
  ['203.0.113.7', ['203.0.113.7']],
  ['203.0.113.0/24, 2001:db8::/32\n10.0.0.0/8', ['203.0.113.0/24', '2001:db8::/32', '10.0.0.0/8']],
] as const)('%j has the networks %j', ([text, networks]) => {
  expect(typedNetworks(text)).toEqual(networks)
})

test('a token without networks is used from any', () => {
  expect(networksText({ networks: [] })).toBe('Any')
  expect(networksText({ networks: ['10.0.0.0/8', '::1/128'] })).toBe('10.0.0.0/8, ::1/128')
})
