import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from './calendar.ts'
import { DEMO_DAYS } from './demo-world.ts'
import { planStaff } from './staff.ts'
import { planAuditLog } from './audit-log.demo.ts'
import { planTenants } from './tenants.demo.ts'

const SUNDAY = Date.parse('2026-11-22T00:00:00.000Z')

test('at any hour of the week, no event precedes the first admin', () => {
  for (let hour = 0; hour < 7 * 24; hour += 3) {
    const now = SUNDAY + hour * HOUR_MS
    const createdAt = now - DEMO_DAYS * DAY_MS
    const first = { id: crypto.randomUUID(), email: 'first@example.com', created_at: new Date(createdAt).toISOString() }
    const staff = planStaff(first, now)
    const { tenants, events } = planTenants(staff, now)
    const [earliest] = planAuditLog(events, { tenants, staff, now })
    expect(earliest?.at).toBeGreaterThan(createdAt)
  }
})
