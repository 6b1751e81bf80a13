import { expect, test } from 'vitest'
import { cidrOf, isInNetworks } from './networks.ts'

test.for([
  ['203.0.113.7', [], true],
  ['203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.113.7', ['203.0.113.9/24'], true],
  ['203.0.114.7', ['203.0.113.0/24'], false],
  ['203.0.113.7', ['203.0.113.7/32'], true],
  ['::ffff:203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.113.7', ['2001:db8::/32', '203.0.113.0/24'], true],
  ['2001:db8::1', ['2001:db8::/32'], true],
  ['2001:db9::1', ['2001:db8::/32', '0.0.0.0/0'], false],
  ['203.0.113.7', ['::/0'], false],
  ['no address', ['0.0.0.0/0'], false],
] as const)('%s is in %s: %s', ([address, networks, isIn]) => {
  expect(isInNetworks(address, networks)).toBe(isIn)
})

test.for([
  ['203.0.113.7', '203.0.113.7/32'],
  ['2001:db8::1', '2001:db8::1/128'],
  ['203.0.113.0/24', '203.0.113.0/24'],
] as const)('%s is stored as %s', ([typed, stored]) => {
  expect(cidrOf(typed)).toBe(stored)
})
