import type { ApiKey } from '@switchboard/contract/api-keys'
import { describe, expect, test } from 'vitest'
import { after, NOW, WORKING_KEY } from '#src/testing/api-key.ts'
import {
  isInGrace,
  lastUseText,
  lifetimeText,
  longerGraces,
  rotationCalls,
  usedAtEnd,
  extensionProblem,
} from './key-rotation-labels.ts'

const key = (fields: Partial<ApiKey>): ApiKey => ({ ...WORKING_KEY, ...fields })

test('names the last use of a key, or that there was none', () => {
  expect(lastUseText(key({ last_used_at: after(-3) }), NOW)).toBe('last used 3 hours ago')
  expect(lastUseText(key({}), NOW)).toBe('never used')
})

describe('labels the lifetime of a key', () => {
  const cases: [Partial<ApiKey>, string][] = [
    [{}, 'never expires'],
    [{ original_expires_at: after(-99) }, 'less than a day'],
    [{ original_expires_at: after(-100 + 24) }, '1 day'],
    [{ original_expires_at: after(-100 + 24 * 30 - 0.01) }, '30 days'],
  ]
  test.for(cases)('%s: %s', ([fields, text]) => {
    expect(lifetimeText(key(fields))).toBe(text)
  })
})

describe('by how much a grace can be extended', () => {
  const rotated = { rotated_at: after(0) }
  const cases: [string, Partial<ApiKey>, number[]][] = [
    ['an hour', { grace_ends_at: after(1) }, [86_400, 604_800]],
    ['the longest', { grace_ends_at: after(24 * 7) }, []],
    ['cut short by its expiry', { grace_ends_at: after(1), original_expires_at: after(30) }, [86_400, 604_800]],
    ['cut short twice', { grace_ends_at: after(1), original_expires_at: after(12) }, [86_400]],
    ['up to its expiry', { grace_ends_at: after(12), original_expires_at: after(12) }, []],
  ]
  test.for(cases)('%s', ([, fields, seconds]) => {
    const rotatedKey = key({ ...rotated, ...fields })
    expect(longerGraces(rotatedKey).map((choice) => choice.seconds)).toEqual(seconds)
    expect(extensionProblem(rotatedKey) === null).toBe(seconds.length > 0)
  })
})

test('a key is in grace until its very end', () => {
  expect(isInGrace(key({ grace_ends_at: after(1) }), NOW)).toBe(true)
  expect(isInGrace(key({ grace_ends_at: after(0) }), NOW)).toBe(false)
})

describe('labels the calls of a rotated pair', () => {
  const ended = { grace_ends_at: after(-2), expires_at: after(-2), calls_since_rotation: 5, refused_since_end: 0 }
  const cases: [string, Partial<ApiKey>, string | null, string | null][] = [
    ['no rotation', {}, null, null],
    ['the new key', { calls_since_rotation: 1 }, '1 call since the rotation', null],
    ['in grace', { ...ended, grace_ends_at: after(1) }, '5 calls since the rotation', null],
    ['ended', ended, '5 calls since the rotation, no calls since it ended', null],
    [
      'tried since',
      { ...ended, refused_since_end: 3, last_used_at: after(-4.1) },
      '5 calls since the rotation, 3 calls refused since it ended',
      null,
    ],
    [
      'in use at its end',
      { ...ended, refused_since_end: 3, last_used_at: after(-4) },
      '5 calls since the rotation, 3 calls refused since it ended',
      'The old key of Key was still in use when it ended (3 calls refused).',
    ],
    [
      'ended before its time',
      { ...ended, grace_ends_at: after(-1), revoked_at: after(-1), last_used_at: after(-1) },
      '5 calls since the rotation, no calls since it ended',
      'The old key of Key was still in use when it ended (0 calls refused).',
    ],
  ]
  test.for(cases)('%s', ([, fields, calls, warning]) => {
    expect(rotationCalls(key(fields), NOW)).toBe(calls)
    expect(usedAtEnd(key(fields), NOW)).toBe(warning)
  })
})
