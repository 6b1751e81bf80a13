import { expect, test } from 'vitest'
import { outcomeBadge, outcomeOptions, summaryOf } from './import-result-labels.ts'

const NEW = { outcome: 'created', isDone: false } as const
const CREATED = { outcome: 'created', isDone: true } as const
const REFUSED = { outcome: 'refused', isDone: true } as const

test('a row that would be created is new', () => {
  expect([NEW, CREATED, REFUSED].map((result) => outcomeBadge(result).text)).toEqual(['New', 'Created', 'Refused'])
})

test('the rows are counted by result', () => {
  expect(summaryOf([NEW, NEW, REFUSED])).toBe('3 rows: 2 new, 1 refused')
  expect(summaryOf([CREATED])).toBe('1 row: 1 created')
})

test('the filter has the results that occur', () => {
  expect(outcomeOptions([NEW, CREATED, REFUSED])).toEqual([
    { value: '', label: 'All rows (3)' },
    { value: 'created', label: 'Created, New (2)' },
    { value: 'refused', label: 'Refused (1)' },
  ])
})
