import { login, SIGN_IN_REFUSED } from '@switchboard/contract/auth'
import { logout } from '@switchboard/contract/auth/session'
import { endOtherSessions, updateProfile } from '@switchboard/contract/account'
import { taskList } from '@switchboard/contract/tasks'
import { deleteUser, userList } from '@switchboard/contract/users'
import { createTenant, tenantList, updateTenant } from '@switchboard/contract/tenants'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import { SECRET_CHANGE } from '@switchboard/database/audit/secret-change'
import { addedFields, type AuditActor } from '@switchboard/database/audit/audit.queries'
import { CONSTRAINT_SENTENCES } from '@switchboard/database/constraint-sentences'
import type { AuditChanges } from '@switchboard/database/audit-tables'
import { DAY_MS, MINUTE_MS, workingMoment } from './calendar.ts'
import { chanceOf } from './chance.ts'
import { actingColleague, actorAt, actorOf, type DemoEvent, doneBy } from './staff.ts'
import { targetOf } from './tenants.demo.ts'
import type { World } from './world.ts'

/** Numbers of events in the year. */
const REFUSALS = 34
const EXPORTS = 22
const MISTYPED = 41
/** Guesses at the first admin's password before the throttle refuses. */
const GUESSES = 10
const GUESSED_DAYS_AGO = 71
const STRANGER = '198.51.100.233'

/** All events in order: changes with their sign-ins, refusals and failures. */
export function auditLogOf(world: World): DemoEvent[] {
  const actions = [...world.events, ...refusals(world), ...exports(world), ...ownAccounts(world)]
  return [...actions, ...signIns(actions, world.now), ...mistyped(world), ...guesses(world)]
    .filter(({ at }) => at < world.now)
    .toSorted((one, other) => one.at - other.at)
}

/** Every change follows a sign-in of the same day; most admins sign out in the evening. */
function signIns(events: readonly DemoEvent[], now: number): DemoEvent[] {
  const days = new Map<string, { actor: AuditActor; first: number; last: number }>()
  for (const { actor, at } of events) {
    if (actor.id === null) continue
    const day = `${actor.id} ${new Date(at).toISOString().slice(0, 10)}`
    const span = days.get(day) ?? { actor, first: at, last: at }
    days.set(day, { actor, first: Math.min(span.first, at), last: Math.max(span.last, at) })
  }
  return [...days].flatMap(([day, { actor, first, last }]): DemoEvent[] => {
    const chance = chanceOf('sign in', day)
    const by = () => ({ ...actor, request_id: chance.uuid() })
    const signIn = doneBy(by(), first - chance.integer(4, 50) * MINUTE_MS, login)
    const signOut = doneBy(by(), last + chance.integer(3, 90) * MINUTE_MS, logout)
    return chance.is(0.55) && signOut.at < now - DAY_MS ? [signIn, signOut] : [signIn]
  })
}

function refusals({ tenants, staff, now }: World): DemoEvent[] {
  const chance = chanceOf('refusals')
  const taken = CONSTRAINT_SENTENCES['tenants_subdomain_unique'] ?? ''
  return Array.from({ length: REFUSALS }, (_, n): DemoEvent => {
    const at = workingMoment(now, chance.integer(1, 340), chance)
    const actor = actingColleague(staff, at, chance)
    const by = { at, actor: actorOf(actor, chance), outcome: 'refused' as const }
    const tenant = tenants[chance.integer(0, tenants.length - 1)]
    if (n % 3 === 0) return { ...by, action: createTenant.schema.operationId, reason: taken }
    if (n % 9 === 1) {
      const target = { type: 'user' as const, id: actor.id, name: null, tenant_id: null }
      return { ...by, action: deleteUser.schema.operationId, reason: 'You cannot delete your own account.', target }
    }
    const reason = 'Another admin has changed this tenant since you opened it.'
    const isExisting = tenant !== undefined && tenant.createdAt < at
    return { ...by, action: updateTenant.schema.operationId, reason, ...(isExisting && { target: targetOf(tenant) }) }
  })
}

function exports({ tenants, staff, now }: World): DemoEvent[] {
  const chance = chanceOf('exports')
  return Array.from({ length: EXPORTS }, (): DemoEvent => {
    const at = workingMoment(now, chance.integer(0, 60), chance)
    const endpoint = chance.pick([tenantList.export, tenantList.export, userList.export, taskList.export])
    const count = tenants.filter(({ createdAt }) => createdAt < at).length
    const perTenant = endpoint === tenantList.export ? 1 : endpoint === userList.export ? 3 : 0.6
    const changes = addedFields({ rows: Math.round(count * perTenant) })
    return doneBy(actorAt(staff, at, chance), at, endpoint, { changes })
  })
}

/** Changed passwords and ended sessions. */
function ownAccounts({ staff, now }: World): DemoEvent[] {
  return staff.flatMap((colleague, n): DemoEvent[] => {
    const chance = chanceOf('own account', n)
    // Four days after the start, so the working day before a weekend is after the start too.
    const at = workingMoment(now, (now - colleague.from) / DAY_MS - 4, chance)
    if (at > colleague.to) return []
    const { id, email } = colleague
    const target = { type: 'user' as const, id, name: email, tenant_id: null }
    const change = (minutes: number, endpoint: Endpoint, changes: AuditChanges) =>
      doneBy(actorOf(colleague, chance), at + minutes * MINUTE_MS, endpoint, { target, changes })
    const password = change(0, updateProfile, { password: SECRET_CHANGE })
    return n % 2 === 0 ? [password, change(4, endOtherSessions, addedFields({ other_sessions: 0 }))] : [password]
  })
}

function mistyped({ staff, now }: World): DemoEvent[] {
  const chance = chanceOf('mistyped')
  return Array.from({ length: MISTYPED }, (): DemoEvent => {
    const at = workingMoment(now, chance.integer(0, 350), chance)
    return refusedSignIn(at, { ...actorAt(staff, at, chance), id: null })
  })
}

function guesses({ staff: [first], now }: World): DemoEvent[] {
  const chance = chanceOf('guesses')
  const begin = workingMoment(now, GUESSED_DAYS_AGO, chance)
  return Array.from({ length: GUESSES + 1 }, (_, n): DemoEvent => {
    const actor = { id: null, email: first?.email ?? null, address: STRANGER, request_id: chance.uuid() }
    const guess = refusedSignIn(begin + n * chance.integer(3_000, 9_000), actor)
    return n < GUESSES ? guess : { ...guess, reason: 'Too many sign-in attempts. Try again in 15 minutes.' }
  })
}

function refusedSignIn(at: number, actor: AuditActor): DemoEvent {
  return { at, actor, action: login.schema.operationId, outcome: 'refused', reason: SIGN_IN_REFUSED }
}
