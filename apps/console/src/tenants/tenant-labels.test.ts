import { expect, test } from 'vitest'
import { belongings } from './tenant-labels.ts'

test.each([
  [0, 0, 0, ''],
  [1, 0, 0, '1 admin'],
  [3, 2, 1, '3 admins, 2 API keys, 1 task'],
  [0, 1, 0, '1 API key'],
  [0, 0, 2, '2 tasks'],
  [1_200, 0, 0, '1,200 admins'],
])('with %i admins, %i keys and %i tasks "%s" goes', (admin_count, api_key_count, task_count, text) => {
  expect(belongings({ admin_count, api_key_count, task_count })).toBe(text)
})
