import { expect, test } from 'vitest'
import { IMPORTED_TENANTS, IMPORTED_USERS } from './imported-nouns.ts'
import { ignoredColumns, matchColumns, rowsOfTable } from './match-columns.ts'

const record = (line: number, ...cells: string[]) => ({ line, cells })

test('columns are matched by name, label or alias, without regard to case, blanks and signs', () => {
  expect(matchColumns(['ID', 'Tenant name', 'SUBDOMAIN', 'Type', 'tenant_type'], IMPORTED_TENANTS.columns)).toEqual({
    name: 1,
    subdomain: 2,
    tenant_type: 4,
    status: null,
    tags: null,
    custom_fields: null,
    external_id: null,
    suspension_reason: null,
    suspended_until: null,
    goal: null,
    aggressiveness: null,
  })
  expect(matchColumns(['E-mail', 'role', 'Subdomain', 'is active'], IMPORTED_USERS.columns)).toEqual({
    email: 0,
    external_id: null,
    role: 1,
    name: null,
    tenant_id: 2,
    is_active: 3,
  })
})

test('columns of the file without a match are named, columns without a name are not', () => {
  const head = ['id', 'Tenant name', 'subdomain', '', 'version']
  expect(ignoredColumns(head, matchColumns(head, IMPORTED_TENANTS.columns))).toEqual(['id', 'version'])
})

test('a row has its filled cells, without the apostrophes of an export', () => {
  const table = {
    name: 'a.csv',
    head: ['subdomain', 'name', 'goal'],
    rows: [record(2, ' acme ', "'=1+1", ' ')],
    blankCount: 0,
  }
  expect(rowsOfTable(table, IMPORTED_TENANTS, { subdomain: 0, name: 1, goal: 2, status: null })).toEqual([
    { line: 2, key: 'acme', cells: { subdomain: ' acme ', name: '=1+1' }, problem: null },
  ])
})

test('a row with too many or too long cells, or with the key of an earlier row, is refused', () => {
  const head = ['subdomain', 'goal']
  const rows = [
    record(2, 'acme', ''),
    record(3, 'ACME', ''),
    record(4, 'other', 'x', 'y'),
    record(5, 'short'),
    record(6, 'long', 'x'.repeat(4_001)),
    record(7, '', ''),
    record(8, '', ''),
    record(9, 'fine', 'x', ''),
  ]
  const matching = { subdomain: 0, goal: 1 }
  expect(
    rowsOfTable({ name: 'a.csv', head, rows, blankCount: 0 }, IMPORTED_TENANTS, matching).map(({ problem }) => problem),
  ).toEqual([
    null,
    'Line 2 has the same subdomain.',
    'The row has 3 cells, the head has 2.',
    null,
    'A cell has more than 4,000 characters.',
    null,
    null,
    null,
  ])
})
