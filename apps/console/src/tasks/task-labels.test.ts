import type { Task } from '@switchboard/contract/tasks'
import { expect, test } from 'vitest'
import { durationText, monthlyCallsText, pausedText, runResultText } from './task-labels.ts'

test.each([
  [null, ''],
  [0, '0 ms'],
  [840, '840 ms'],
  [4_200, '4.2 s'],
  [9_999, '10.0 s'],
  [10_000, '10 s'],
  [59_400, '59 s'],
  [59_600, '1 min 0 s'],
  [185_000, '3 min 5 s'],
])('%j ms reads "%s"', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

const nothing = { message: null, reviews_returned: null, reviews_new: null, reviews_changed: null }
test.each([
  [{ ...nothing, reviews_returned: 5, reviews_new: 2, reviews_changed: 1 }, '5 reviews: 2 new, 1 changed'],
  [{ ...nothing, reviews_returned: 1, reviews_new: 0, reviews_changed: 0 }, '1 review'],
  [{ ...nothing, reviews_returned: 0, reviews_new: 0, reviews_changed: 0 }, 'No reviews'],
  // With REVIEW_STORAGE=off, new reviews cannot be told from old ones.
  [{ ...nothing, reviews_returned: 5 }, '5 reviews'],
  [{ ...nothing, message: 'The platform’s Google key is wrong.' }, 'The platform’s Google key is wrong.'],
  [nothing, ''],
])('the result of %j reads "%s"', (run, text) => {
  expect(runResultText(run)).toBe(text)
})

test.each([
  ['monthly', 'About 1 call to Google a month, one for each run.'],
  ['biweekly', 'About 2 calls to Google a month, one for each run.'],
  ['weekly', 'About 4 calls to Google a month, one for each run.'],
  ['daily', 'About 30 calls to Google a month, one for each run.'],
] as const)('%s costs "%s"', (frequency, text) => {
  expect(monthlyCallsText(frequency)).toBe(text)
})

const task = {
  extra_data: { place_id: 'ChIJcorner', place_name: 'Corner Bakery' },
  tenant_name: 'Harbor Dental',
  tenant_status: 'active',
  is_paused: false,
  deleted_at: null,
  next_run: '2026-11-26T12:00:00.000Z',
} satisfies Partial<Task>
test.each([
  [{ is_paused: true }, 'was paused. It does not run until it is resumed.'],
  [{}, 'was resumed. Next run: in 6 days.'],
  [{ tenant_status: 'inactive' }, 'was resumed. Its tenant is inactive, so it is skipped.'],
] as const)('a task with %j %s', (fields, text) => {
  expect(pausedText({ ...task, ...fields }, Date.parse('2026-11-20T12:00:00.000Z'))).toBe(
    `Corner Bakery for Harbor Dental ${text}`,
  )
})
