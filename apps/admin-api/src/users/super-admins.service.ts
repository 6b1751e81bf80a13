import { inTransaction } from '@switchboard/database/in-transaction'
import { tellAccount, type NoticeDeps } from '#src/auth/account-notices/account-notices.service.ts'
import { refuseUnconfirmed } from '#src/auth/confirmation/confirmation.service.ts'
import { refuseWithout } from '#src/auth/sessions/roles.service.ts'
import { ROLE_REFUSED } from '@switchboard/contract/auth/capabilities'
import type { User } from '@switchboard/contract/users'
import { email as emailSchema, isConsoleRole } from '@switchboard/contract/auth/current-admin'
import { COMMAND_LINE_ACTOR } from '@switchboard/contract/activity'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { personName } from '@switchboard/contract/auth/person-name'
import { type AuditActor, type AuditTarget, writeAudit, writeAudits } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { StartError } from '@switchboard/database/start/start-error'
import { ONCE, untilStarted } from '@switchboard/database/start/until-started'
import { AppError, badRequest, conflict, notFound, unauthorized } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import type { ZodMiniType } from 'zod/mini'
import { endOpenAccess, endTokens } from '#src/auth/access/access.service.ts'
import type { Deps } from '#src/deps.ts'
import { judgePassword } from '@switchboard/sign-in/new-password'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import {
  activeRole,
  activeSuperAdmins,
  hasSuperAdmin,
  insertSuperAdmin,
  lockSuperAdmins,
} from './super-admins.queries.ts'
import { deleteAttemptsOfAccount } from '@switchboard/sign-in/throttle.queries'
import { accountHash } from '@switchboard/sign-in/throttle'
import { updateUserRow, userByEmail } from './users.queries.ts'

type SuperAdminDeps = Pick<Deps, 'db' | 'now' | 'randomBytes' | 'passwords'>
type ResetDeps = SuperAdminDeps & NoticeDeps
/** Printed once and never stored. */
export type Credentials = { email: string; password: string }

/** 120 bits: 20 characters that are easy to copy. */
const PASSWORD_BYTES = 15

/** Actor of commands on the server's machine. */
const commandLine: AuditActor = { id: null, email: COMMAND_LINE_ACTOR, address: null, request_id: null }

/**
 * Creates the first super admin if none exists, with the given or a random password. Returns the address and password
 * to print, or `null` if a super admin exists; exactly one of several starting processes creates the account. Retries
 * until `patience` ends. Throws a StartError if the given password is easy to guess.
 */
export async function createFirstAdmin(
  deps: SuperAdminDeps & Pick<Deps, 'consoleSettings'>,
  { email, password }: { email: string; password: string | null },
  patience = ONCE,
): Promise<Credentials | null> {
  if (await untilStarted('the database', () => hasSuperAdmin(deps.db), patience)) return null
  const judged = password === null ? null : await judgePassword(deps, password, { owner: 'console', names: [email] })
  if (judged !== null && judged.problem !== null)
    throw new StartError(`SUPER_ADMIN_PASSWORD cannot be used. ${judged.problem}`)
  const chosen = password ?? randomPassword(deps)
  const passwordHash = await deps.passwords.hash(chosen)
  const address = valid(emailSchema, email)
  const create = () =>
    inTransaction(deps.db, async (trx) => {
      await lockSuperAdmins(trx)
      // An earlier attempt may have committed before its connection was lost. Its password must still be shown.
      const existing = await userByEmail(trx, foldEmail(address))
      if (existing?.password_hash === passwordHash) return { email: address, password: chosen }
      if (await hasSuperAdmin(trx)) return null
      const admin = await insertSuperAdmin(trx, {
        email: address,
        password_hash: passwordHash,
        created_at: deps.now(),
      })
      await writeAudit(trx, deps.now(), commandLine, {
        action: 'super_admins.first',
        target: targetOf(admin),
      })
      return { email: admin.email, password: chosen }
    })
  return await untilStarted('the first super admin', create, patience)
}

/** Creates a break-glass super admin with a random password. Throws 409 for a taken address, 400 for a bad name. */
export async function createSuperAdmin(deps: SuperAdminDeps, email: string, name?: string): Promise<Credentials> {
  const password = randomPassword(deps)
  const passwordHash = await deps.passwords.hash(password)
  return await inTransaction(deps.db, async (trx) => {
    const admin = await insertSuperAdmin(trx, {
      email: valid(emailSchema, email),
      name: name === undefined ? null : valid(personName, name),
      password_hash: passwordHash,
      created_at: deps.now(),
      is_break_glass: true,
    })
    await writeAudit(trx, deps.now(), commandLine, {
      action: 'super_admins.create',
      target: targetOf(admin),
    })
    return { email: admin.email, password }
  })
}

/**
 * Gives a member a new random password, even if the account was created by single sign-on. Ends all sessions and links
 * of the account and forgets its failed sign-ins. Service tokens keep working. Throws 404, and 409 for an inactive
 * account or a user of a tenant, because neither could sign in.
 */
export async function resetPassword(deps: ResetDeps, email: string): Promise<Credentials> {
  const password = randomPassword(deps)
  const passwordHash = await deps.passwords.hash(password)
  return await inTransaction(deps.db, async (trx) => {
    const admin = await userByEmail(trx, foldEmail(email))
    if (admin === undefined) throw notFound('Super admin')
    if (!isConsoleRole(admin.role) || !admin.is_active)
      throw conflict(`${admin.email} is not an active account of the console.`)
    await updateUserRow(trx, admin.id, { password_hash: passwordHash, may_use_password: true })
    await endOpenAccess(trx, admin)
    await deleteAttemptsOfAccount(trx, accountHash(foldEmail(admin.email)))
    await writeAudit(trx, deps.now(), commandLine, {
      action: 'super_admins.reset-password',
      target: targetOf(admin),
    })
    await tellAccount(deps, trx, commandLine, admin, ['The password was replaced on the server.'])
    return { email: admin.email, password }
  })
}

/** For an account of the console, throws 403 without the capability `team` or without a recent confirmation. */
export function refuseConsoleAccount(
  deps: Pick<Deps, 'now'>,
  actor: Actor,
  { tenant_id }: Pick<User, 'tenant_id'>,
): void {
  if (tenant_id !== null) return
  refuseWithout(actor, 'team')
  refuseUnconfirmed(deps, actor)
}

/** Revokes the service tokens of a member. Returns their names. Throws 404. */
export async function revokeTokensOf({ db, now }: Pick<Deps, 'db' | 'now'>, email: string): Promise<string[]> {
  return await inTransaction(db, async (trx) => {
    const maker = await userByEmail(trx, foldEmail(email))
    if (maker === undefined || maker.tenant_id !== null) throw notFound('Account')
    const ended = await endTokens(trx, now(), maker.id)
    await writeAudits(trx, now(), commandLine, ended)
    return ended.map(({ target }) => target?.name ?? '')
  })
}

/**
 * Refuses to delete, remove, deactivate or demote the last active super admin or the caller's own account (409). Needs the
 * lock of `lockSuperAdmins`. Throws 401 and 403 as `refuseRemovedActor`.
 */
export async function refuseLastSuperAdmin(
  trx: Transaction<Database>,
  actor: Actor,
  { id }: { id: string },
  verb: 'delete' | 'remove' | 'deactivate' | 'demote',
): Promise<void> {
  if (id === actor.admin.id) throw conflict(`You cannot ${verb} your own account.`)
  const active = await activeSuperAdmins(trx)
  if (active.length === 1 && active.includes(id)) throw conflict(`The last active super admin cannot be ${verb}d.`)
  await refuseRemovedActor(trx, actor)
}

/** Whether an account is the last active super admin. Locks the super admins until the end of the transaction. */
export async function isLastSuperAdmin(trx: Transaction<Database>, id: string): Promise<boolean> {
  await lockSuperAdmins(trx)
  const active = await activeSuperAdmins(trx)
  return active.length === 1 && active.includes(id)
}

/**
 * Throws 401 if the actor was deleted or deactivated since the authentication, and 403 after a change of the role. Needs
 * the lock of `lockSuperAdmins`.
 */
export async function refuseRemovedActor(trx: Transaction<Database>, actor: Actor): Promise<void> {
  const role = await activeRole(trx, actor.admin.id)
  if (role === undefined) throw unauthorized('Not authenticated')
  // A service token acts only while its maker is an active super admin.
  if (actor.session_id === null && role !== 'super_admin') throw unauthorized('Not authenticated')
  if (actor.session_id !== null && role !== actor.admin.role) throw new AppError(403, ROLE_REFUSED)
}

/**
 * Locks the team for a change by the actor. Throws 401 if the actor was removed or got another role in the meantime.
 */
export async function lockTeam(trx: Transaction<Database>, actor: Actor): Promise<void> {
  await lockSuperAdmins(trx)
  await refuseRemovedActor(trx, actor)
}

/** A typed value as the schema has it. Throws 400. */
function valid<Value>(schema: ZodMiniType<Value>, typed: string): Value {
  const { success, data, error } = schema.safeParse(typed)
  if (success) return data
  throw badRequest(error.issues[0]?.message ?? '')
}

function randomPassword({ randomBytes }: SuperAdminDeps): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url')
}

function targetOf({ id, email }: { id: string; email: string }): AuditTarget {
  return { type: 'user', id, name: email, tenant_id: null }
}
