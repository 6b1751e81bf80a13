import { createTenant, deleteTenant, TENANT_TYPES, type TenantType, updateTenant } from '@switchboard/contract/tenants'
import { addedFields, type AuditTarget, changedFields, removedFields } from '@switchboard/database/audit/audit.queries'
import { DAY_MS, MINUTE_MS, workingMoment, workingMomentAfter } from './calendar.ts'
import { type Chance, chanceOf } from './chance.ts'
import { CITIES, GOALS, NAME_BEGINNINGS, NAME_ENDINGS, TRADES, UNUSUAL_NAMES } from './names.ts'
import { actorAt, type DemoEvent, doneBy } from './staff.ts'
import type { DemoTenant, World } from './world.ts'

const COUNT = 300
/** Number of deleted tenants. */
const DELETED = 9
const YEAR_DAYS = 365
const SUSPENSION_REASONS = ['Invoice overdue', 'Contract under review', 'Asked for a break'] as const

type TenantName = { name: string; subdomain: string; tenant_type: TenantType; domain: string }

/** Adds the tenants, oldest first. Each month has more new tenants than the month before. */
export function addTenants(world: World): void {
  for (const [n, named] of namesOf(COUNT).entries()) {
    const chance = chanceOf('tenant', n)
    const age = YEAR_DAYS * (1 - ((n + 0.5) / COUNT) ** 0.7)
    const tenant = newTenant(named, workingMoment(world.now, age, chance), chance)
    world.tenants.push(tenant)
    world.events.push(creation(world, tenant, chance))
    changeTenant(world, tenant, chance)
  }
  addDeletedTenants(world)
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
  return usual.slice(0, count).map((named, n): TenantName => {
    const unusual = n % every === every - 1 ? UNUSUAL_NAMES[Math.floor(n / every)] : undefined
    if (unusual === undefined) return named
    const [name, subdomain, tenant_type] = unusual
    return { name, subdomain, tenant_type, domain: `${subdomain}.example` }
  })
}

function newTenant({ domain, ...named }: TenantName, createdAt: number, chance: Chance): DemoTenant {
  const [city, country, time_zone] = chance.pick(CITIES)
  const row = { ...named, id: chance.uuid(), status: 'active' as const, goal: '', aggressiveness: 5, version: 1 }
  return {
    row: { ...row, created_at: new Date(createdAt) },
    createdAt,
    inactiveSince: null,
    domain,
    city,
    country,
    time_zone,
  }
}

function creation({ staff }: World, tenant: DemoTenant, chance: Chance): DemoEvent {
  const { createdAt } = tenant
  const { name, subdomain, tenant_type } = tenant.row
  const changes = addedFields({ name, subdomain, tenant_type })
  return doneBy(actorAt(staff, createdAt, chance), createdAt, createTenant, { target: targetOf(tenant), changes })
}

/** Most tenants get a goal on the first day, some another goal later. Some are inactive, now or for a while. */
function changeTenant({ now, staff, events }: World, tenant: DemoTenant, chance: Chance): void {
  const { row, createdAt } = tenant
  const ageDays = (now - createdAt) / DAY_MS
  const goals = GOALS[row.tenant_type]
  const change = (at: number, fields: Partial<DemoTenant['row']>, why: { reason?: string } = {}) => {
    const changes = changedFields<Record<string, unknown>>(row, fields)
    Object.assign(row, fields, { version: row.version + 1 })
    events.push(doneBy(actorAt(staff, at, chance), at, updateTenant, { target: targetOf(tenant), changes, ...why }))
  }
  const later = (share: number) => workingMomentAfter(createdAt, now, ageDays * (1 - share), chance)

  if (chance.is(0.85)) {
    const aggressiveness = chance.integer(10, 92) / 10
    const at = createdAt + chance.integer(5, 90) * MINUTE_MS
    change(at, { goal: chance.pick(goals), ...(chance.is(0.7) && { aggressiveness }) })
  }
  if (chance.is(0.12) && ageDays > 20) {
    const goal = chance.pick(goals)
    if (goal !== row.goal) change(later(0.3), { goal })
  }
  if (chance.is(0.15) && ageDays > 30) {
    const inactiveSince = later(0.5 + chance.fraction() * 0.45)
    const suspension = chanceOf('suspension', row.subdomain)
    const reason = suspension.is(0.7) ? suspension.pick(SUSPENSION_REASONS) : undefined
    const back = later(0.97)
    const returns = chance.is(0.4) && back - inactiveSince > DAY_MS
    const end = new Date(now + suspension.integer(2, 20) * DAY_MS)
    const hasEnd = suspension.is(0.4) && !returns
    change(
      inactiveSince,
      {
        status: 'inactive',
        ...(reason !== undefined && { suspension_reason: reason }),
        ...(hasEnd && { suspended_until: end }),
      },
      reason === undefined ? {} : { reason },
    )
    tenant.inactiveSince = inactiveSince
    row.suspended_at = new Date(inactiveSince)
    if (returns) {
      change(back, { status: 'active', ...(reason !== undefined && { suspension_reason: null }) })
      tenant.inactiveSince = null
      row.suspended_at = null
    }
  }
}

/** Deleted tenants exist in the audit log only. */
function addDeletedTenants(world: World): void {
  const names = namesOf(COUNT + DELETED).slice(COUNT)
  for (const [n, named] of names.entries()) {
    const chance = chanceOf('gone', n)
    const tenant = newTenant(named, workingMoment(world.now, 60 + n * 33, chance), chance)
    const at = tenant.createdAt + chance.integer(3, 50) * DAY_MS
    const changes = removedFields({
      subdomain: named.subdomain,
      admin_count: chance.integer(0, 3),
      api_key_count: chance.integer(0, 2),
      task_count: chance.integer(0, 1),
    })
    const deletion = doneBy(actorAt(world.staff, at, chance), at, deleteTenant, { target: targetOf(tenant), changes })
    world.events.push(creation(world, tenant, chance), deletion)
  }
}
