import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteServerTime, serverNow, serverTime } from './server-clock.ts'

const NOON = Date.parse('2026-11-18T12:00:00Z')
const DAY_MS = 86_400_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An answer of a server at `at`, on a computer whose clock shows `local`. */
function answer(at: number, local: number): void {
  vi.setSystemTime(local)
  noteServerTime(new Headers({ date: new Date(at).toUTCString() }))
}

test('a computer that is wrong by days gets the time of the server', () => {
  answer(NOON, NOON + 3 * DAY_MS)
  expect(serverNow()).toBe(NOON)
  expect(serverTime(NOON + 3 * DAY_MS - 1_000)).toBe('2026-11-18T11:59:59.000Z')
  answer(NOON + 5_000, NOON + 5_000 - DAY_MS)
  expect(serverNow()).toBe(NOON + 5_000)
})

test('the time goes on between two answers of one second', () => {
  answer(NOON, NOON + DAY_MS)
  answer(NOON + 300, NOON + DAY_MS + 300)
  expect(serverNow()).toBe(NOON + 300)
  // The clock of the server was at 12:00:00.900 at the first answer.
  answer(NOON + 1_200, NOON + DAY_MS + 400)
  expect(serverNow()).toBe(NOON + 1_000)
  answer(NOON + 1_900, NOON + DAY_MS + 1_000)
  expect(serverNow()).toBe(NOON + 1_600)
})

test('an answer without a time changes nothing', () => {
  answer(NOON, NOON)
  noteServerTime(new Headers())
  expect(serverNow()).toBe(NOON)
})
