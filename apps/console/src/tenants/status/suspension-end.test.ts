import { expect, test } from 'vitest'
import { endErrors, endOf, endText, type SuspensionDraft } from './suspension-end.ts'

const now = new Date('2026-11-17T12:00:00.500').getTime()
const NONE = { suspended_until: null }
const draft = (end: SuspensionDraft['end'], suspended_until = ''): SuspensionDraft => ({
  suspension_reason: '',
  end,
  suspended_until,
})
const local = (text: string) => new Date(text).toISOString()

test.each([
  ['none', '', null],
  ['day', '', new Date(Date.parse('2026-11-18T12:01:00')).toISOString()],
  ['week', '', new Date(Date.parse('2026-11-24T12:01:00')).toISOString()],
  ['date', '2026-11-24T18:30', local('2026-11-24T18:30')],
  ['date', '2026-11-17T12:00', undefined],
  ['date', '', undefined],
] as const)('the choice %s with "%s" ends at %s', (end, value, expected) => {
  expect(endOf(draft(end, value), NONE, now)).toBe(expected)
})

test('a time that the form does not change keeps its seconds, also when it has passed', () => {
  const before = { suspended_until: local('2026-11-16T10:20:30.400') }
  expect(endOf(draft('date', '2026-11-16T10:20'), before, now)).toBe(before.suspended_until)
  expect(endOf(draft('date', '2026-11-16T10:21'), before, now)).toBeUndefined()
})

test('a missing or past time is an error of its field', () => {
  expect(endErrors(draft('date'), NONE)).toEqual({ suspended_until: 'Choose an end in the future.' })
  expect(endErrors(draft('week'), NONE)).toEqual({})
})

test('the end in words names the time zone', () => {
  expect(endText(null)).toBe('Until you reactivate the tenant.')
  expect(endText(local('2026-11-24T18:30'))).toMatch(/^Until Nov 24, 2026, 18:30, \S+( \(UTC.*\))?\.$/)
  expect(endText(undefined)).toMatch(/^The time zone is .+\.$/)
})
