import { expect, test } from 'vitest'
import { arrangeColumns, arrangementOf } from './arrange-columns.ts'

const COLUMNS = [{ head: 'Name' }, { head: 'Type' }, { head: 'Calls, 7 days' }, { head: 'Tags', isOptional: true }]

/** The heads in their order, hidden ones in brackets. */
const heads = (arrangement: string | null) =>
  arrangeColumns(COLUMNS, arrangement).map(({ head, isShown }) => (isShown ? head : `(${head})`))

test.each([
  [null, ['Name', 'Type', 'Calls, 7 days', '(Tags)']],
  ['name,calls-7-days,type,-tags', ['Name', 'Calls, 7 days', 'Type', '(Tags)']],
  ['tags,-name,-type', ['Name', 'Tags', '(Type)', 'Calls, 7 days']],
  ['gone,-type', ['Name', '(Type)', 'Calls, 7 days', '(Tags)']],
])('the arrangement %s shows %j', (arrangement, expected) => {
  expect(heads(arrangement)).toEqual(expected)
})

test('the default order has no arrangement', () => {
  expect(arrangementOf(COLUMNS, arrangeColumns(COLUMNS, null))).toBeNull()
  expect(arrangementOf(COLUMNS, arrangeColumns(COLUMNS, 'name,-type,calls-7-days,-tags'))).toBe(
    'name,-type,calls-7-days,-tags',
  )
})
