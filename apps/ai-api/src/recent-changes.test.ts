import { expect, test } from 'vitest'
import { createRecentChanges } from './recent-changes.ts'

test('a row is stale after a later change of one of its ids, and after lost changes', () => {
  const recent = createRecentChanges()
  const readAt = performance.now()
  expect(recent.isChangedSince(readAt, ['key', 'tenant'])).toBe(false)
  recent.add('tenant')
  expect([['key', 'tenant'], ['other']].map((ids) => recent.isChangedSince(readAt, ids))).toEqual([true, false])
  recent.add('other')
  expect(recent.isChangedSince(readAt, ['other'])).toBe(true)
  const later = performance.now() + 1
  expect(recent.isChangedSince(later, ['key', 'tenant', 'other'])).toBe(false)
  recent.miss()
  expect(recent.isChangedSince(readAt, ['another'])).toBe(true)
})
