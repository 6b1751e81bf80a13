import { COMMAND_LINE_ACTOR } from '@switchboard/contract/activity'
import { createUser, deleteUser, toggleUser } from '@switchboard/contract/users'
import type { Insertable } from 'kysely'
import { addedFields, type AuditTarget, changedFields, removedFields } from '@switchboard/database/audit/audit.queries'
import type { UsersTable } from '@switchboard/database/tables'
import { DAY_MS, notBefore, workingMoment } from './calendar.ts'
import { type Chance, chanceOf } from './chance.ts'
import { FAMILY_NAMES, GIVEN_NAMES } from './names.ts'
import { actorOf, type Colleague, actingColleague, type DemoEvent } from './staff.ts'
import type { DemoTenant } from './tenants.demo.ts'

type UserRow = Insertable<UsersTable> & { id: string }

const COUNT = 900
/** User counts of the largest tenants; the others have at most eight. */
const MOST = [27, 22, 19, 17, 14, 12, 11]
type Setting = {
  staff: readonly Colleague[]
  now: number
  /** Password hash of every account. The password is discarded, so every sign-in is refused like a wrong password. */
  passwordHash: string
}

/** The users of all tenants and the super admins added later, with their audit events. */
export function planUsers(tenants: readonly DemoTenant[], setting: Setting): { users: UserRow[]; events: DemoEvent[] } {
  const { staff, passwordHash } = setting
  const events: DemoEvent[] = []
  const counts = countsOf(tenants.length)
  const users = tenants.flatMap((tenant, n) => {
    const chance = chanceOf('users', n)
    // Every fortieth tenant has only inactive users.
    const isAllInactive = n % 40 === 17
    const offset = chance.integer(0, GIVEN_NAMES.length - 1)
    return Array.from({ length: counts[n] ?? 0 }, (_, place) => {
      const planned = planUser(tenant, { offset, place, isInactive: isAllInactive || chance.is(0.06) }, setting, chance)
      events.push(...planned.events)
      return planned.row
    })
  })
  return { users: [...users, ...colleagues(staff, passwordHash)], events: [...events, ...staffEvents(staff)] }
}

/** The number of users per tenant, `COUNT` in total: none for every thirtieth tenant, a few for most, many for some. */
function countsOf(tenants: number): number[] {
  const chance = chanceOf('admin counts')
  const counts = Array.from({ length: tenants }, (_, n) => {
    if (n % 30 === 22) return 0
    const most = n % 37 === 4 ? MOST[Math.floor(n / 37)] : undefined
    return most ?? chance.pick([1, 1, 2, 2, 2, 3, 3, 4, 5])
  })
  for (let n = 0, missing = COUNT - sum(counts); missing !== 0; n = (n + 1) % tenants) {
    const count = counts[n] ?? 0
    const step = Math.sign(missing)
    if (count === 0 || count > 8 || (step < 0 && count === 1)) continue
    counts[n] = count + step
    missing -= step
  }
  return counts
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function planUser(
  tenant: DemoTenant,
  { offset, place, isInactive }: { offset: number; place: number; isInactive: boolean },
  { staff, now, passwordHash }: Setting,
  chance: Chance,
): { row: UserRow; events: DemoEvent[] } {
  const ageDays = (now - tenant.createdAt) / DAY_MS
  const share = place === 0 ? 1 : 0.3 + 0.7 * chance.fraction()
  const createdAt = notBefore(tenant.createdAt, workingMoment(now, ageDays * share, chance), chance)
  const row = {
    id: chance.uuid(),
    // Users of a tenant have different first names.
    email: `${GIVEN_NAMES[(offset + place) % GIVEN_NAMES.length]}.${chance.pick(FAMILY_NAMES)}@${tenant.domain}`,
    password_hash: passwordHash,
    role: place === 0 ? ('admin' as const) : chance.pick(['admin', 'manager', 'manager', 'user', 'user']),
    tenant_id: tenant.row.id,
    is_active: !isInactive,
    created_at: new Date(createdAt),
  } satisfies UserRow
  const { email, role, tenant_id } = row
  const target: AuditTarget = { type: 'user', id: row.id, name: email, tenant_id }
  const by = (at: number) => ({ at, actor: actorOf(actingColleague(staff, at, chance), chance), target })
  const done = { outcome: 'done' as const }
  const events: DemoEvent[] = [
    {
      ...by(createdAt),
      ...done,
      action: createUser.schema.operationId,
      changes: addedFields({ email, role, tenant_id }),
    },
  ]
  if (isInactive) {
    const at = notBefore(createdAt, workingMoment(now, (ageDays * share) / 3, chance), chance)
    const changes = changedFields({ is_active: true }, { is_active: false })
    events.push({ ...by(at), ...done, action: toggleUser.schema.operationId, changes })
  }
  return { row, events }
}

/** The super admins besides the first, without deleted ones. */
function colleagues(staff: readonly Colleague[], passwordHash: string): UserRow[] {
  return staff
    .slice(1)
    .filter(({ end }) => end !== 'deleted')
    .map(({ id, email, from, end }) => ({
      id,
      email,
      password_hash: passwordHash,
      role: 'super_admin' as const,
      tenant_id: null,
      is_active: end === 'here',
      created_at: new Date(from),
    }))
}

/** Audit events of super admins, created on the command line and removed by the first super admin. */
function staffEvents([first, ...others]: readonly Colleague[]): DemoEvent[] {
  const commandLine = { id: null, email: COMMAND_LINE_ACTOR, address: null, request_id: null }
  const chance = chanceOf('joined')
  return others.flatMap(({ id, email, from, to, end }): DemoEvent[] => {
    const target: AuditTarget = { type: 'user', id, name: email, tenant_id: null }
    const created: DemoEvent = { at: from, actor: commandLine, action: 'super_admins.create', outcome: 'done', target }
    if (end === 'here' || first === undefined) return [created]
    const by = { at: to, actor: actorOf(first, chance), outcome: 'done' as const, target }
    const removed: DemoEvent =
      end === 'deleted'
        ? {
            ...by,
            action: deleteUser.schema.operationId,
            changes: removedFields({ email, role: 'super_admin', tenant_id: null }),
          }
        : {
            ...by,
            action: toggleUser.schema.operationId,
            changes: changedFields({ is_active: true }, { is_active: false }),
          }
    return [created, removed]
  })
}
