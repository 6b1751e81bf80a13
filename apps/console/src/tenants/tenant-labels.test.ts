import { expect, test } from 'vitest'
import { bulkEffectsText, effectsAhead, effectsNow } from './tenant-labels.ts'

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
] as const)('%s with %i keys and %i tasks', (status, api_key_count, task_count, ahead, now) => {
  expect(effectsAhead(status, { api_key_count, task_count })).toBe(ahead)
  expect(effectsNow(status, { api_key_count, task_count })).toBe(now)
})

test('several tenants: used keys and unchanged tenants are counted', () => {
  const effects = { tenant_count: 3, api_key_count: 1_200, used_api_key_count: 3, task_count: 1 }
  expect(bulkEffectsText('inactive', 3, effects)).toBe('1,200 keys (3 used in the last hour) and 1 task are affected.')
  expect(bulkEffectsText('active', 5, { ...effects, used_api_key_count: 0 })).toBe(
    '1,200 keys and 1 task are affected. 2 tenants are active already.',
  )
})
