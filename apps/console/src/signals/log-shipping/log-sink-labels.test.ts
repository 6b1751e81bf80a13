import { expect, test } from 'vitest'
import { lagText, positionText, problemText, stateBadge, typedHeaders } from './log-sink-labels.ts'

test.for([
  [{ is_on: false, problem: 'x', seconds_behind: 0 }, 'Off'],
  [{ is_on: true, problem: 'x', seconds_behind: 0 }, 'Failing'],
  [{ is_on: true, problem: null, seconds_behind: 61 }, 'Late'],
  [{ is_on: true, problem: null, seconds_behind: 60 }, 'On'],
] as const)('%o is %s', ([sink, text]) => {
  expect(stateBadge(sink).text).toBe(text)
})

test.for([
  [{ kind: 'otlp', entries_behind: 0, seconds_behind: 0 }, 'Up to date'],
  [{ kind: 'otlp', entries_behind: 1, seconds_behind: 0 }, '1 entry behind'],
  [{ kind: 'otlp', entries_behind: 1, seconds_behind: 2 }, '2 seconds behind (1 entry)'],
  [{ kind: 'file', entries_behind: 12, seconds_behind: 0 }, '12 entries of today wait'],
  [{ kind: 'file', entries_behind: 1200, seconds_behind: 7_200 }, '2 hours behind (1,200 entries)'],
] as const)('%o is %s', ([sink, text]) => {
  expect(lagText(sink)).toBe(text)
})

const NOW = Date.parse('2026-11-29T12:00:00Z')
const LATE = { kind: 'otlp', is_on: true, problem: null, seconds_behind: 61, last_sent_at: null } as const
test.for([
  [LATE, 'No worker sends to it.'],
  [{ ...LATE, kind: 'file' }, 'No worker with AUDIT_FILES writes them.'],
  [{ ...LATE, last_sent_at: '2026-11-29T11:58:00Z' }, 'No worker sends to it.'],
  [{ ...LATE, last_sent_at: '2026-11-29T11:59:30Z' }, null],
  [{ ...LATE, problem: 'Nothing answers at this address.' }, 'Nothing answers at this address.'],
  [{ ...LATE, is_on: false }, null],
] as const)('the problem of %o is %s', ([sink, text]) => {
  expect(problemText(sink, NOW)).toBe(text)
})

test('a sink without its first entry has nothing yet', () => {
  expect(positionText({ position: 4, first_seq: 5 })).toBe('Nothing yet')
  expect(positionText({ position: 4711, first_seq: 5 })).toBe('Entry 4,711')
})

test.for([
  ['', []],
  ['Authorization: Bearer a:b ', [{ name: 'Authorization', value: 'Bearer a:b' }]],
  [
    'a: 1\n\nb:2',
    [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ],
  ],
  ['Bearer 1f0c', null],
  ['a:', null],
] as const)('the headers of %o', ([typed, headers]) => {
  expect(typedHeaders(typed)).toEqual(headers)
})
