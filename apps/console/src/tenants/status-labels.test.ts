import { expect, test } from 'vitest'
import { effectsNow } from './status-labels.ts'

test.each([
  [
    'inactive',
    4,
    1,
    '4 keys will be refused and 1 task skipped within a second.',
    '4 keys are refused and 1 task is skipped.',
  ],
  ['inactive', 1, 0, '1 key will be refused within a second.', '1 key is refused.'],
  ['inactive', 0, 2, '2 tasks will be skipped.', '2 tasks are skipped.'],
  ['inactive', 0, 0, 'The tenant has no working key and no task that runs.', ''],
  [
    'active',
    4,
    1,
    '4 keys will be accepted and 1 task will run within a second.',
    '4 keys are accepted and 1 task runs again.',
  ],
  ['active', 0, 2, '2 tasks will run.', '2 tasks run again.'],
] as const)('%s with %i keys and %i tasks', (status, api_key_count, task_count, _ahead, now) => {
  expect(effectsNow(status, { api_key_count, task_count })).toBe(now)
})
