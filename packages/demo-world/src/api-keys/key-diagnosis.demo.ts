import type { Insertable } from 'kysely'
import type { Database } from '@switchboard/database/tables'
import { DAY_MS, HOUR_MS, midnight } from '#src/calendar.ts'
import type { DemoTenant, World } from '#src/world.ts'
import type { Calls } from './key-use.demo.ts'

/** Days with calls by hour. */
const DAYS_WITH_HOURS = 2
/** Calls of an hour of the working day, for each call of another hour. */
const BUSY_HOURS = { from: 7, to: 19, weight: 4 }
/** Shares of the refused origins of a misused key. */
const ORIGIN_SHARES = [0.62, 0.21, 0.12, 0.05]

/** Splits the calls of today and yesterday by hour, and adds the refused origins of all keys. */
export function addKeyDiagnosis(world: World): void {
  const { rows, now, tenants } = world
  const begin = midnight(now) - (DAYS_WITH_HOURS - 1) * DAY_MS
  rows.api_key_calls = rows.api_key_calls.flatMap((row) => (row.since.getTime() < begin ? [row] : hoursOf(row)))

  const byId = new Map(tenants.map((tenant) => [tenant.row.id, tenant]))
  const refused = Map.groupBy(
    rows.api_key_calls.filter(({ outcome }) => outcome === 'origin_refused'),
    ({ api_key_id }) => api_key_id,
  )
  for (const { id, tenant_id } of rows.api_keys) {
    const tenant = byId.get(tenant_id)
    const days = id === undefined ? undefined : refused.get(id)
    if (tenant !== undefined && days !== undefined) rows.api_key_refused_origins.push(...originsOf(tenant, days))
  }
}

/** The calls of a day by hour, up to the last call. */
function hoursOf({ since, count, last_at, ...day }: Calls): Calls[] {
  const start = since.getTime()
  const hours = Math.floor((last_at.getTime() - start) / HOUR_MS) + 1
  const weights = Array.from({ length: hours }, (_, hour) =>
    hour >= BUSY_HOURS.from && hour < BUSY_HOURS.to ? BUSY_HOURS.weight : 1,
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let passed = 0
  return weights.flatMap((weight, hour) => {
    const before = Math.round((count * passed) / total)
    passed += weight
    const ofHour = Math.round((count * passed) / total) - before
    const begin = start + hour * HOUR_MS
    const last = new Date(Math.min(begin + HOUR_MS - 1, last_at.getTime()))
    return ofHour === 0 ? [] : [{ ...day, unit: 'hour', since: new Date(begin), count: ofHour, last_at: last }]
  })
}

/** The tenant has a new site that its key does not allow; a copy on a developer's machine; and calls from a server. */
function originsOf({ domain }: DemoTenant, days: Calls[]): Insertable<Database['api_key_refused_origins']>[] {
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const last = Math.max(...days.map(({ last_at }) => last_at.getTime()))
  const api_key_id = days[0]?.api_key_id ?? ''
  const origins = [
    `https://new.${domain.replace(/\.example$/, '')}-online.example`,
    `https://staging-${domain}`,
    'http://localhost:3000',
    null,
  ]
  return origins.flatMap((origin, place) => {
    const count = Math.round(total * (ORIGIN_SHARES[place] ?? 0))
    const last_at = new Date(last - place * 7 * HOUR_MS)
    return count === 0 ? [] : [{ api_key_id, origin, count, last_at }]
  })
}
