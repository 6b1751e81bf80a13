import { expect, test } from 'vitest'
import { accessText, networksText, tenantsText, typedNetworks } from './token-labels.ts'

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

test('the scopes of a preset have its name, others are listed', () => {
  expect(accessText({ scopes: ['users:verify', 'keys:verify', 'prompts:read'] })).toBe('Runtime')
  expect(accessText({ scopes: ['keys:verify', 'read'] })).toBe('keys:verify, read')
})

test('a deleted tenant of a token is named so', () => {
  expect(tenantsText({ tenants: [] })).toBeNull()
  expect(
    tenantsText({
      tenants: [
        { id: '1', name: 'Harbor Dental' },
        { id: '2', name: null },
      ],
    }),
  ).toBe('Harbor Dental, a deleted tenant')
})
