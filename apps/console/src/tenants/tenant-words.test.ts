import { expect, test } from 'vitest'
import { belongings } from './tenant-words.ts'

test.each([
  [0, 0, ''],
  [1, 0, '1 admin'],
  [3, 2, '3 admins, 2 API keys'],
  [0, 1, '1 API key'],
  [1_200, 0, '1,200 admins'],
])('with %i admins and %i keys "%s" goes', (admin_count, api_key_count, text) => {
  expect(belongings({ admin_count, api_key_count })).toBe(text)
})
