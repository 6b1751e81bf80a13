import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import type { Insertable } from 'kysely'
import type { Database } from '@switchboard/database/tables'
import { DAY_MS, isWeekend, midnight } from '#src/calendar.ts'
import type { Chance } from '#src/chance.ts'
import type { DemoTenant, World } from '#src/world.ts'

/** The use of a key since its creation. All times in ms. */
export type KeyUse = {
  /** End of the accepted calls. */
  until?: number
  /** Start of the decline: each day has fewer calls, because clients move to the successor. */
  rotatedAt?: number
  /** The single last call of a quiet key. */
  lastAt?: number
  /** Outcome of refused calls: after `until`, or occasionally without `until`. */
  refusedBy?: KeyOutcome
  isRefusedSeldom?: boolean
}
export type Calls = Insertable<Database['api_key_calls']>

/** Days of stored use: ninety on the dashboard, and the ninety before. */
const DAYS = 182

/** The calls of a key per day: fewer at weekends, slightly more every week, partial for today. */
export function callsOf(
  {
    id,
    environment,
    created_at,
  }: Pick<Insertable<Database['api_keys']>, 'environment'> & { id: string; created_at: Date },
  use: KeyUse,
  { world, tenant, chance }: { world: World; tenant: DemoTenant; chance: Chance },
): Calls[] {
  const { now } = world
  const key = { api_key_id: id, environment }
  const { inactiveSince } = tenant
  const { lastAt, until = now, rotatedAt = now, refusedBy, isRefusedSeldom = false } = use
  const from = created_at.getTime()
  const busy = Math.round(10 ** (1.2 + 2.4 * chance.fraction()))
  if (lastAt !== undefined) return [rowOf(key, lastAt, 'valid', chance.integer(1, 40), lastAt)]
  const begin = midnight(now) - DAYS * DAY_MS
  // Earlier use shows only in the last call.
  const rows = until < begin && until > from ? [rowOf(key, until, 'valid', busy, until)] : []
  for (let day = Math.max(begin, midnight(from)); day <= now; day += DAY_MS) {
    const [start, end] = [Math.max(day, from), Math.min(day + DAY_MS, now)]
    const rhythm = (isWeekend(day) ? 0.4 : 1) * (0.85 + 0.3 * chance.fraction()) * (1 + (day - now) / DAY_MS / 120)
    // What is refused seldom comes from clients that nobody moves.
    const decline = day > rotatedAt && !isRefusedSeldom ? 0.55 ** ((day - rotatedAt) / DAY_MS) : 1
    const perMs = (busy * rhythm * decline) / DAY_MS
    const accepted = Math.max(0, Math.min(end, until) - start)
    const count = (ms: number) => Math.round(ms * perMs)
    const add = (outcome: KeyOutcome, number: number, lastMs: number) => {
      if (number > 0)
        rows.push(rowOf(key, day, outcome, number, lastMs - Math.round(chance.fraction() * (DAY_MS / (number + 24)))))
    }
    const isOff = inactiveSince !== null && day > inactiveSince
    // Clients of an inactive tenant stop calling within days.
    const persistence = isOff ? 0.25 * 0.6 ** ((day - inactiveSince) / DAY_MS) : 1
    add(isOff ? 'tenant_inactive' : 'valid', Math.round(count(accepted) * persistence), Math.min(end, until))
    if (refusedBy === undefined || isOff) continue
    const refusedMs = refusedBy === 'origin_refused' ? accepted * 0.08 : Math.max(0, end - Math.max(start, until))
    const few = isRefusedSeldom ? Math.min(count(refusedMs), chance.pick([0, 0, 0, 1, 2])) : count(refusedMs)
    add(refusedBy, few, end)
  }
  return rows
}

type CountedKey = Pick<Calls, 'api_key_id' | 'environment'>

function rowOf(key: CountedKey, ms: number, outcome: KeyOutcome, count: number, lastMs: number): Calls {
  const day = midnight(ms)
  return { ...key, since: new Date(day), unit: 'day', outcome, count, last_at: new Date(Math.max(lastMs, day)) }
}
