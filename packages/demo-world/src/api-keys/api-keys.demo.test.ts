import { randomUUID } from 'node:crypto'
import { keyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#src/calendar.ts'
import { addTenants } from '#src/tenants.demo.ts'
import { emptyWorld } from '#src/world.ts'
import { addApiKeys } from './api-keys.demo.ts'

const SUNDAY = Date.parse('2026-11-22T00:00:00.000Z')

test('at any hour of the week, the last seven days have checks with each result', () => {
  for (let hour = 0; hour < 7 * 24; hour += 6) {
    const now = SUNDAY + hour * HOUR_MS
    const world = emptyWorld(
      { id: randomUUID(), email: 'ada@example.com', created_at: '2025-11-20T00:00:00.000Z' },
      now,
    )
    addTenants(world)
    addApiKeys(world)
    const recent = world.rows.api_key_calls.filter(({ since }) => new Date(since).getTime() > now - 7 * DAY_MS)
    expect(new Set(recent.map(({ outcome }) => outcome)), new Date(now).toISOString()).toEqual(
      new Set(keyOutcome.options),
    )
  }
})
