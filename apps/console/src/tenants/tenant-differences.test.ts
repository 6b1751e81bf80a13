import { expect, test } from 'vitest'
import { tenantDifferences, type TenantDraft } from './tenant-differences.ts'

const acme: TenantDraft = { name: 'Acme', status: 'active', tenant_type: 'product', goal: 'Sell', aggressiveness: 5 }

test('two equal versions do not differ', () => {
  expect(tenantDifferences(acme, { ...acme })).toEqual([])
})

test.each([
  [{ name: 'Acme Ltd' }, { field: 'Tenant name', theirs: 'Acme', yours: 'Acme Ltd' }],
  [{ status: 'inactive' }, { field: 'Status', theirs: 'Active', yours: 'Inactive' }],
  [{ tenant_type: 'service' }, { field: 'Business type', theirs: 'Product Company', yours: 'Service Company' }],
  [{ goal: '' }, { field: 'Goal', theirs: 'Sell', yours: '' }],
  [{ aggressiveness: 5.1 }, { field: 'Aggressiveness', theirs: '5.0', yours: '5.1' }],
] satisfies [Partial<TenantDraft>, object][])('%j is named in the words of the form', (change, difference) => {
  expect(tenantDifferences(acme, { ...acme, ...change })).toEqual([difference])
})
