import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

test.for<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ['0', 0],
  ['7', 7_000],
  ['Fri, 20 Nov 2026 09:31:00 GMT', 60_000],
  ['Fri, 20 Nov 2026 09:29:00 GMT', 0],
  ['99999999999', 86_400_000],
  ['soon', undefined],
])('Retry-After %s is %s ms', ([header, ms]) => {
  expect(retryAfterMs(header, new Date('2026-11-20T09:30:00.000Z'))).toBe(ms)
})
