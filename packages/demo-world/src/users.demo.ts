import { foldEmail } from '@switchboard/contract/auth/email-address'
import { COMMAND_LINE_ACTOR } from '@switchboard/contract/activity'
import { createUser, deleteUser, toggleUser } from '@switchboard/contract/users'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import type { Insertable } from 'kysely'
import { addedFields, type AuditTarget, changedFields, removedFields } from '@switchboard/database/audit/audit.queries'
import type { AuditChanges } from '@switchboard/database/audit-tables'
import type { Database } from '@switchboard/database/tables'
import { DAY_MS, workingMomentAfter } from './calendar.ts'
import { type Chance, chanceOf } from './chance.ts'
import { FAMILY_NAMES, GIVEN_NAMES } from './names.ts'
import { actorAt, doneBy, personName } from './staff.ts'
import type { DemoTenant, World } from './world.ts'

const COUNT = 900
/** User counts of the largest tenants; the others have at most eight. */
const MOST = [27, 22, 19, 17, 14, 12, 11]

const DEACTIVATION = changedFields({ is_active: true }, { is_active: false })

/**
 * Adds the users of all tenants and the super admins after the first. The password of `passwordHash` is discarded, so
 * every sign-in is refused like a wrong password.
 */
export function addUsers(world: World, passwordHash: string): void {
  const counts = countsOf(world.tenants.length)
  for (const [n, tenant] of world.tenants.entries()) {
    const chance = chanceOf('users', n)
    // Every fortieth tenant has only inactive users.
    const isAllInactive = n % 40 === 17
    const offset = chance.integer(0, GIVEN_NAMES.length - 1)
    for (let place = 0; place < (counts[n] ?? 0); place += 1) {
      const isInactive = isAllInactive || chance.is(0.06)
      addUser(world, tenant, { offset, place, isInactive, passwordHash }, chance)
    }
  }
  addColleagues(world, passwordHash)
}

/** The number of users per tenant, `COUNT` in total: none for every thirtieth tenant, a few for most, many for some. */
function countsOf(tenants: number): number[] {
  const chance = chanceOf('user counts')
  const counts = Array.from({ length: tenants }, (_, n) => {
    if (n % 30 === 22) return 0
    return (n % 37 === 4 ? MOST[Math.floor(n / 37)] : undefined) ?? 1
  })
  let missing = COUNT - counts.reduce((total, count) => total + count, 0)
  while (missing > 0) {
    const n = chance.integer(0, tenants - 1)
    const count = counts[n] ?? 0
    if (count === 0 || count >= 8) continue
    counts[n] = count + 1
    missing -= 1
  }
  return counts
}

/** The first user of a tenant has place 0; `offset` chooses the first names of the tenant. */
type Place = { offset: number; place: number; isInactive: boolean; passwordHash: string }

function addUser(
  { now, staff, rows, events }: World,
  tenant: DemoTenant,
  { offset, place, isInactive, passwordHash }: Place,
  chance: Chance,
): void {
  const ageDays = (now - tenant.createdAt) / DAY_MS
  const share = place === 0 ? 1 : 0.3 + 0.7 * chance.fraction()
  const createdAt = workingMomentAfter(tenant.createdAt, now, ageDays * share, chance)
  const id = chance.uuid()
  // Users of a tenant have different first names.
  const names = [GIVEN_NAMES[(offset + place) % GIVEN_NAMES.length] ?? '', chance.pick(FAMILY_NAMES)]
  const address = `${names.join('.')}@${tenant.domain}`
  const row = {
    id,
    email: address,
    folded_email: foldEmail(address),
    // The name of every fourth user is unknown.
    name: place % 4 === 3 ? null : personName(names),
    password_hash: passwordHash,
    role: place === 0 ? ('admin' as const) : chance.pick(['admin', 'manager', 'manager', 'user', 'user']),
    tenant_id: tenant.row.id,
    is_active: !isInactive,
    created_at: new Date(createdAt),
  } satisfies Insertable<Database['users']>
  rows.users.push(row)
  const { email, role, tenant_id } = row
  const target: AuditTarget = { type: 'user', id: row.id, name: email, tenant_id }
  const done = (at: number, endpoint: Endpoint, changes: AuditChanges) =>
    events.push(doneBy(actorAt(staff, at, chance), at, endpoint, { target, changes }))
  done(createdAt, createUser, addedFields({ email, role, tenant_id }))
  if (isInactive) done(workingMomentAfter(createdAt, now, (ageDays * share) / 3, chance), toggleUser, DEACTIVATION)
}

/** Super admins are created on the command line. The first super admin deactivates or deletes those who leave. */
function addColleagues({ staff, rows, events }: World, passwordHash: string): void {
  const commandLine = { id: null, email: COMMAND_LINE_ACTOR, address: null, request_id: null }
  const role = 'super_admin'
  const chance = chanceOf('joined')
  for (const { id, email, name, from, to, end } of staff.slice(1)) {
    const row = {
      id,
      email,
      name,
      role,
      tenant_id: null,
      is_active: end === 'here',
      created_at: new Date(from),
    } as const
    if (end !== 'deleted') rows.users.push({ ...row, folded_email: foldEmail(email), password_hash: passwordHash })
    const target: AuditTarget = { type: 'user', id, name: email, tenant_id: null }
    events.push({ at: from, actor: commandLine, action: 'super_admins.create', outcome: 'done', target })
    if (end === 'here') continue
    const [endpoint, changes] =
      end === 'deleted' ? [deleteUser, removedFields({ email, role, tenant_id: null })] : [toggleUser, DEACTIVATION]
    events.push(doneBy(actorAt(staff.slice(0, 1), to, chance), to, endpoint, { target, changes }))
  }
}
