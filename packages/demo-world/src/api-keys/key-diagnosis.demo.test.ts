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

const sums = (counted: { api_key_id: string; outcome: string; count: number; day: string }[]) => {
  const byDay = new Map<string, number>()
  for (const { api_key_id, outcome, count, day } of counted) {
    const name = `${api_key_id} ${outcome} ${day}`
    byDay.set(name, (byDay.get(name) ?? 0) + count)
  }
  return Object.fromEntries(byDay)
}

test('the calls by hour of a day add up to its calls, and none is in the future', () => {
  const byHour = rows.api_key_hours.map((row) => ({ ...row, day: new Date(row.hour).toISOString().slice(0, 10) }))
  const days = rows.api_key_outcomes.filter(({ day }) => day >= '2026-11-19')
  expect(days.length).toBeGreaterThan(100)
  expect(sums(byHour)).toEqual(sums(days))
  expect(rows.api_key_hours.every(({ hour }) => new Date(hour).getTime() <= now)).toBe(true)
})

test('keys with refused origins name them, and no more calls than were refused', () => {
  const total = (refused: { count: number }[]) => refused.reduce((sum, { count }) => sum + count, 0)
  const refused = Map.groupBy(rows.api_key_refused_origins, ({ api_key_id }) => api_key_id)
  expect(refused.size).toBeGreaterThan(1)
  for (const [id, origins] of refused) {
    const days = rows.api_key_outcomes.filter((row) => row.api_key_id === id && row.outcome === 'origin_refused')
    expect(Math.abs(total(origins) - total(days))).toBeLessThanOrEqual(2)
  }
})
