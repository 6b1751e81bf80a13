import type { Country } from '@switchboard/contract/places/countries'
import { createTenant, deleteTenant, TENANT_TYPES, type TenantType, updateTenant } from '@switchboard/contract/tenants'
import type { Insertable } from 'kysely'
import { addedFields, type AuditTarget, changedFields, removedFields } from '@switchboard/database/audit/audit.queries'
import type { TenantsTable } from '@switchboard/database/tables'
import { DAY_MS, MINUTE_MS, notBefore, workingMoment } from './calendar.ts'
import { type Chance, chanceOf } from './chance.ts'
import { CITIES, GOALS, NAME_BEGINNINGS, NAME_ENDINGS, TRADES, UNUSUAL_NAMES } from './names.ts'
import { actorOf, type Colleague, actingColleague, type DemoEvent } from './staff.ts'

export type DemoTenant = {
  row: Insertable<TenantsTable> & { id: string; version: number }
  /** All times in ms. */
  createdAt: number
  inactiveSince: number | null
  /** Domain of the tenant's mail and site. */
  domain: string
  city: string
  country: Country
}

const COUNT = 300
/** Number of deleted tenants. */
const DELETED = 9
const YEAR_DAYS = 365

type TenantName = { name: string; subdomain: string; tenant_type: TenantType; domain: string }

/** The tenants, oldest first. Each month has more new tenants than the month before. */
export function planTenants(staff: readonly Colleague[], now: number): { tenants: DemoTenant[]; events: DemoEvent[] } {
  const events: DemoEvent[] = []
  const tenants = namesOf(COUNT).map((named, n) => {
    const chance = chanceOf('tenant', n)
    const age = YEAR_DAYS * (1 - ((n + 0.5) / COUNT) ** 0.7)
    const tenant = planTenant(named, workingMoment(now, age, chance), chance)
    events.push(creation(tenant, staff, chance), ...changes(tenant, staff, now, chance))
    return tenant
  })
  return { tenants, events: [...events, ...deletedTenants(staff, now)] }
}

/** The tenant as an audit target. */
export function targetOf({ row }: DemoTenant): AuditTarget {
  return { type: 'tenant', id: row.id, name: row.name, tenant_id: row.id }
}

function namesOf(count: number): TenantName[] {
  const chance = chanceOf('names')
  const roots = NAME_BEGINNINGS.flatMap((beginning) => NAME_ENDINGS.map((ending) => `${beginning}${ending}`))
  const shuffled = roots
    .map((root) => ({ root, place: chance.fraction() }))
    .toSorted((one, other) => one.place - other.place)
  const usual = shuffled.map(({ root }): TenantName => {
    const tenant_type = chance.pick(TENANT_TYPES)
    const name = `${root} ${chance.pick(TRADES[tenant_type])}`
    const subdomain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
    return { name, subdomain, tenant_type, domain: `${root.toLowerCase()}.example` }
  })
  // Unusual names at regular intervals, the last among the newest.
  const every = Math.floor(count / UNUSUAL_NAMES.length)
  return Array.from({ length: count }, (_, n) => {
    const unusual = n % every === every - 1 ? UNUSUAL_NAMES[Math.floor(n / every)] : undefined
    const named = usual[n]
    if (unusual === undefined && named !== undefined) return named
    const [name = '', subdomain = '', tenant_type = 'product'] = unusual ?? []
    return { name, subdomain, tenant_type, domain: `${subdomain}.example` } satisfies TenantName
  })
}

function planTenant({ domain, ...named }: TenantName, createdAt: number, chance: Chance): DemoTenant {
  const [city, country] = chance.pick(CITIES)
  const row = { ...named, id: chance.uuid(), status: 'active' as const, goal: '', aggressiveness: 5, version: 1 }
  return { row: { ...row, created_at: new Date(createdAt) }, createdAt, inactiveSince: null, domain, city, country }
}

function creation(tenant: DemoTenant, staff: readonly Colleague[], chance: Chance): DemoEvent {
  const { name, subdomain, tenant_type } = tenant.row
  return {
    at: tenant.createdAt,
    actor: actorOf(actingColleague(staff, tenant.createdAt, chance), chance),
    action: createTenant.schema.operationId,
    outcome: 'done',
    target: targetOf(tenant),
    changes: addedFields({ name, subdomain, tenant_type }),
  }
}

/** Most tenants get a goal on the first day, some another goal later. Some are inactive, now or for a while. */
function changes(tenant: DemoTenant, staff: readonly Colleague[], now: number, chance: Chance): DemoEvent[] {
  const { createdAt } = tenant
  const ageDays = (now - createdAt) / DAY_MS
  const goals = GOALS[tenant.row.tenant_type]
  const change = (at: number, fields: Partial<DemoTenant['row']>): DemoEvent => {
    const event: DemoEvent = {
      at,
      actor: actorOf(actingColleague(staff, at, chance), chance),
      action: updateTenant.schema.operationId,
      outcome: 'done',
      changes: changedFields<Record<string, unknown>>(tenant.row, fields),
    }
    Object.assign(tenant.row, fields, { version: tenant.row.version + 1 })
    return { ...event, target: targetOf(tenant) }
  }
  const later = (share: number) => notBefore(createdAt, workingMoment(now, ageDays * (1 - share), chance), chance)

  const events: DemoEvent[] = []
  if (chance.is(0.85)) {
    const aggressiveness = chance.integer(10, 92) / 10
    const at = createdAt + chance.integer(5, 90) * MINUTE_MS
    events.push(change(at, { goal: chance.pick(goals), ...(chance.is(0.7) && { aggressiveness }) }))
  }
  if (chance.is(0.12) && ageDays > 20) {
    const goal = chance.pick(goals)
    if (goal !== tenant.row.goal) events.push(change(later(0.3), { goal }))
  }
  if (chance.is(0.15) && ageDays > 30) {
    const inactiveSince = later(0.5 + chance.fraction() * 0.45)
    events.push(change(inactiveSince, { status: 'inactive' }))
    tenant.inactiveSince = inactiveSince
    const back = later(0.97)
    if (chance.is(0.4) && back - inactiveSince > DAY_MS) {
      events.push(change(back, { status: 'active' }))
      tenant.inactiveSince = null
    }
  }
  return events
}

/** Deleted tenants that exist in the log only. */
function deletedTenants(staff: readonly Colleague[], now: number): DemoEvent[] {
  return namesOf(COUNT + DELETED)
    .slice(COUNT)
    .flatMap((named, n) => {
      const chance = chanceOf('gone', n)
      const createdAt = workingMoment(now, 60 + n * 33, chance)
      const tenant = planTenant(named, createdAt, chance)
      const at = notBefore(createdAt, createdAt + chance.integer(3, 50) * DAY_MS, chance)
      const counts = {
        admin_count: chance.integer(0, 3),
        api_key_count: chance.integer(0, 2),
        task_count: chance.integer(0, 1),
      }
      const deletion: DemoEvent = {
        at,
        actor: actorOf(actingColleague(staff, at, chance), chance),
        action: deleteTenant.schema.operationId,
        outcome: 'done',
        target: targetOf(tenant),
        changes: removedFields({ subdomain: named.subdomain, ...counts }),
      }
      return [creation(tenant, staff, chance), deletion]
    })
}
