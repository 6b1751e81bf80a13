import { expect, test } from 'vitest'
import { belongings } from './tenant-words.ts'

test.each([
  [0, ''],
  [1, '1 admin'],
  [3, '3 admins'],
  [1_200, '1,200 admins'],
])('with %i admins "%s" goes', (admin_count, text) => {
  expect(belongings({ admin_count })).toBe(text)
})
