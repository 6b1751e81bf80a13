import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from './calendar.ts'
import { DEMO_DAYS } from './demo-world.ts'
import { auditLogOf } from './audit-log.demo.ts'
import { addTenants } from './tenants.demo.ts'
import { emptyWorld } from './world.ts'

const SUNDAY = Date.parse('2026-11-22T00:00:00.000Z')

test('at any hour of the week, no event precedes the first admin', () => {
  for (let hour = 0; hour < 7 * 24; hour += 3) {
    const now = SUNDAY + hour * HOUR_MS
    const createdAt = now - DEMO_DAYS * DAY_MS
    const first = { id: crypto.randomUUID(), email: 'first@example.com', created_at: new Date(createdAt).toISOString() }
    const world = emptyWorld(first, now)
    addTenants(world)
    const [earliest] = auditLogOf(world)
    expect(earliest?.at).toBeGreaterThan(createdAt)
  }
})
