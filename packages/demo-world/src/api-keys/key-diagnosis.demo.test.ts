import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addApiKeys } from './api-keys.demo.ts'
import { addKeyDiagnosis } from './key-diagnosis.demo.ts'
import { addTenants } from '#src/tenants.demo.ts'
import { emptyWorld } from '#src/world.ts'

const now = Date.parse('2026-11-20T12:34:56.789Z')
const world = emptyWorld({ id: randomUUID(), email: 'ada@example.com', created_at: '2025-11-20T00:00:00.000Z' }, now)
addTenants(world)
addApiKeys(world)
addKeyDiagnosis(world)
const { rows } = world

test('today and yesterday have their calls by hour, earlier days by day, and none is in the future', () => {
  const units = new Map(rows.api_key_calls.map(({ since, unit }) => [since.toISOString().slice(0, 10), unit]))
  expect([units.get('2026-11-20'), units.get('2026-11-19'), units.get('2026-11-18')]).toEqual(['hour', 'hour', 'day'])
  expect(rows.api_key_calls.every(({ since, last_at }) => since <= last_at && last_at.getTime() <= now)).toBe(true)
})

test('keys with refused origins name them, and no more calls than were refused', () => {
  const total = (refused: { count: number }[]) => refused.reduce((sum, { count }) => sum + count, 0)
  const refused = Map.groupBy(rows.api_key_refused_origins, ({ api_key_id }) => api_key_id)
  expect(refused.size).toBeGreaterThan(1)
  for (const [id, origins] of refused) {
    const calls = rows.api_key_calls.filter((row) => row.api_key_id === id && row.outcome === 'origin_refused')
    expect(Math.abs(total(origins) - total(calls))).toBeLessThanOrEqual(2)
  }
})
