import { createHash, randomBytes } from 'node:crypto'
import { isWellFormedKey } from '@switchboard/contract/api-keys/key-format'
import { expect, test } from 'vitest'
import { newSecret } from './secret.ts'

test.for(['live', 'test'] as const)('a %s secret is well formed, and its record holds its parts', (environment) => {
  const { secret, stored } = newSecret(randomBytes, environment)
  expect(secret).toMatch(new RegExp(`^sb_${environment}_[0-9A-Za-z]{36}$`))
  expect(isWellFormedKey(secret)).toBe(true)
  expect(stored).toEqual({
    key_hash: createHash('sha256').update(secret).digest(),
    environment,
    key_prefix: `sb_${environment}_`,
    key_start: secret.slice(8, 12),
    key_last4: secret.slice(-4),
  })
})

test('bytes that would bias some characters are drawn again', () => {
  const draws = [Buffer.alloc(30, 255), Buffer.alloc(30, 248), Buffer.alloc(30, 247)]
  const { secret } = newSecret(() => draws.shift() ?? Buffer.alloc(30, 0), 'live')
  expect(secret.slice(8, 38)).toBe('z'.repeat(30))
})

test('every character is drawn about equally often', () => {
  const counts = new Map<string, number>()
  for (let n = 0; n < 4_000; n += 1)
    for (const character of newSecret(randomBytes, 'live').secret.slice(8, 38))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  const expected = (4_000 * 30) / 62
  const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  // 61 degrees of freedom: beyond 130 once in a million runs.
  expect(chiSquared).toBeLessThan(130)
})
