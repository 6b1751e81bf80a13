import * as contract from '@switchboard/contract/team'
import type { Member, MemberSession, UpdateMemberBody } from '@switchboard/contract/team'
import { changedFields, removedFields, writeAudit, writeAudits } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import { conflict, notFound } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import { endLostAccess, endPassword } from '#src/auth/access/access.service.ts'
import { type NoticeDeps, standingChanges, tellAccount } from '#src/auth/account-notices/account-notices.service.ts'
import type { Deps } from '#src/deps.ts'
import { refuseStale } from '#src/requests/refusals/stale.service.ts'
import { deleteSessionsOfUser, liveSessionsOfUser } from '#src/auth/sessions/sessions.queries.ts'
import { type Actor, liveLimits } from '#src/auth/sessions/sessions.service.ts'
import { refuseLastSuperAdmin, refuseRemovedActor } from '#src/users/super-admins.service.ts'
import { hideUser } from '#src/users/deleted-users.service.ts'
import { changeUserRow } from '#src/users/users.queries.ts'
import { lockForChange } from '#src/users/users.service.ts'
import { memberById, members } from './team.queries.ts'

type Now = Pick<Deps, 'db' | 'now'>
type TeamDeps = Now & NoticeDeps

const OWN_PASSWORD = 'Another super admin decides whether you may use a password.'
const NO_SINGLE_SIGN_ON = 'This person has never used single sign-on. They need their password to sign in.'
const OWN_SESSIONS = 'End your own sessions in Settings.'

/** Everyone who runs the console, by email address. */
export async function team({ db, now }: Now): Promise<Member[]> {
  return await members(db, liveLimits(now()))
}

/**
 * Changes the role, the status or the permission to use a password, and ends the access that is lost. Throws 404, 409
 * for the caller's account, for the last active super admin and for the password of a member without single sign-on,
 * and 412 with the current record unless its version is `expectedVersion` (if given).
 */
export async function updateMember(
  deps: TeamDeps,
  actor: Actor,
  { id, expectedVersion }: { id: string; expectedVersion: number | null },
  body: UpdateMemberBody,
): Promise<Member> {
  const { db, now } = deps
  return await inTransaction(db, async (trx) => {
    const before = await lockMember(trx, now, id)
    await refuseStale(trx, 'member', before, expectedVersion)
    const changes = changedFields(before, body)
    if (Object.keys(changes).length === 0) return before
    await refuseChange(trx, actor, before, body)
    if (body.may_use_password === false) await endPassword(trx, { ...before, tenant_id: null })
    const ended = await endLostAccess(trx, now(), await changeUserRow(trx, id, body))
    const after = await memberOf(trx, now, id)
    await tellAccount(deps, trx, actor, after, standingChanges(before, after))
    const action = contract.updateMember.schema.operationId
    await writeAudits(trx, now(), actor, [...ended, { action, target: targetOf(before), changes }])
    return after
  })
}

async function refuseChange(
  trx: Transaction<Database>,
  actor: Actor,
  before: Member,
  { role, is_active, may_use_password }: UpdateMemberBody,
): Promise<void> {
  if (may_use_password !== undefined && before.id === actor.id) throw conflict(OWN_PASSWORD)
  if (may_use_password === false && !before.sign_in_methods.includes('single_sign_on'))
    throw conflict(NO_SINGLE_SIGN_ON)
  if (is_active === false) return await refuseLastSuperAdmin(trx, actor, before, 'deactivate')
  if (role !== undefined && role !== 'super_admin') return await refuseLastSuperAdmin(trx, actor, before, 'demote')
  await refuseRemovedActor(trx, actor)
}

/**
 * Removes a member and ends all their access. Throws 404, and 409 for the caller's account and for the last active
 * super admin.
 */
export async function removeMember(deps: TeamDeps, actor: Actor, id: string): Promise<void> {
  const { db, now } = deps
  await inTransaction(db, async (trx) => {
    const member = await lockMember(trx, now, id)
    await refuseLastSuperAdmin(trx, actor, member, 'remove')
    await tellAccount(deps, trx, actor, member, ['The account was removed.'])
    const { email, role, is_active } = member
    const ended = await hideUser(trx, now(), { id, email, tenant_id: null })
    const entry = {
      action: contract.removeMember.schema.operationId,
      target: targetOf(member),
      changes: removedFields({ email, role, is_active }),
    }
    await writeAudits(trx, now(), actor, [...ended, entry])
  })
}

/** The live sessions of a member, last used first. Throws 404. */
export async function memberSessions({ db, now }: Now, id: string): Promise<MemberSession[]> {
  await memberOf(db, now, id)
  return await liveSessionsOfUser(db, id, liveLimits(now()))
}

/** Ends one session, or all sessions, of another member. Throws 404, and 409 for the caller's account. */
export async function endMemberSessions(
  { db, now }: Now,
  actor: Actor,
  { id, session_id }: { id: string; session_id?: string },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const member = await lockMember(trx, now, id)
    if (id === actor.id) throw conflict(OWN_SESSIONS)
    await refuseRemovedActor(trx, actor)
    const open = await liveSessionsOfUser(trx, id, liveLimits(now()))
    const ended = open.filter((session) => session_id === undefined || session.id === session_id)
    if (session_id !== undefined && ended.length === 0) throw notFound('Session')
    if (ended.length === 0) return
    await deleteSessionsOfUser(trx, id, session_id)
    const operation = session_id === undefined ? contract.endMemberSessions : contract.endMemberSession
    await writeAudit(trx, now(), actor, {
      action: operation.schema.operationId,
      target: targetOf(member),
      changes: { open_sessions: { before: open.length, after: open.length - ended.length } },
    })
  })
}

/** Locks the super admins, then the member. Returns the locked member. Throws 404. */
async function lockMember(trx: Transaction<Database>, now: Deps['now'], id: string): Promise<Member> {
  await memberOf(trx, now, id)
  await lockForChange(trx, id)
  return await memberOf(trx, now, id)
}

async function memberOf(db: Deps['db'], now: Deps['now'], id: string): Promise<Member> {
  const member = await memberById(db, liveLimits(now()), id)
  if (member === undefined) throw notFound('Member')
  return member
}

function targetOf({ id, email }: Member) {
  return { type: 'user', id, name: email, tenant_id: null } as const
}
