import { inTransaction } from '@switchboard/database/in-transaction'
import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import { login } from '@switchboard/contract/auth'
import * as contract from '@switchboard/contract/single-sign-on'
import { safeRedirect } from '@switchboard/contract/single-sign-on/safe-redirect'
import {
  addedFields,
  type AuditActor,
  changedFields,
  writeAudit,
  writeAudits,
} from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { AppError, unauthorized } from '@switchboard/server/http/errors'
import { attemptAt, endThrottleWindows, reserveAttempt } from '@switchboard/sign-in/throttle'
import { forgiveAttempts } from '@switchboard/sign-in/throttle.queries'
import type { Transaction } from 'kysely'
import { endLostAccess } from '#src/auth/access/access.service.ts'
import { accessTokenHash, newAccessToken } from '@switchboard/sign-in/access-token'
import { type Caller, openSession } from '#src/auth/open-session.ts'
import type { Deps } from '#src/deps.ts'
import { standingChanges, tellAccount } from '#src/auth/account-notices/account-notices.service.ts'
import { isLastSuperAdmin } from '#src/users/super-admins.service.ts'
import { accountFor, type Opened, type SignedOn } from './accounts.ts'
import { overageOf, roleOf } from './claims.ts'
import {
  insertAccount,
  insertIdentity,
  lockAccount,
  lockIdentity,
  markSession,
  updateAccount,
} from './identities.queries.ts'
import { endAccessWithoutRole } from './without-role.service.ts'
import { type SingleSignOn, SsoError } from './single-sign-on.client.ts'
import { deleteExpired, flowsOfAddress, insertCode, insertFlow, takeCode, takeFlow } from './single-sign-on.queries.ts'

type SsoDeps = Pick<Deps, 'db' | 'now' | 'log' | 'randomBytes' | 'mailer' | 'mails' | 'singleSignOn' | 'signInFailures'>

/** Sign-ins of a network that may be at the identity provider at once: a limit for rows that anyone can add. */
const FLOWS_MAX = 200

/**
 * Begins a single sign-on. Returns the address to open, and the secret that binds the sign-in to the browser. `browser` is the
 * secret of an earlier sign-in of this browser, so that sign-ins in several tabs do not break each other.
 */
export async function startSingleSignOn(
  deps: SsoDeps,
  caller: Caller,
  { redirect: given, browser: earlier }: { redirect: string | undefined; browser: string | null },
): Promise<{ location: string; browser: string | null }> {
  const { db, now, randomBytes } = deps
  const browser = earlier ?? newAccessToken(randomBytes)
  const redirect = ownPath(given)
  try {
    const client = clientOf(deps)
    const { address } = attemptAt('', caller.address)
    await deleteExpired(db, now())
    if ((await flowsOfAddress(db, address, now())) >= FLOWS_MAX) throw new SsoError('too_many', 'Too many sign-ins.')
    const state = newAccessToken(randomBytes)
    const secrets = { nonce: newAccessToken(randomBytes), code_verifier: newAccessToken(randomBytes) }
    const url = await client.authorizationUrl({ state, ...secrets })
    await insertFlow(db, {
      ...secrets,
      state_hash: accessTokenHash(state),
      browser_hash: accessTokenHash(browser),
      redirect,
      address,
      expires_at: later(now(), contract.SSO_MINUTES * 60),
    })
    return { location: url.href, browser }
  } catch (error) {
    deps.signInFailures.count('single_sign_on')
    // `null` leaves the cookie of an earlier sign-in in the browser.
    return { location: failureUrl(failureFor(deps, error), redirect), browser: null }
  }
}

/** The answer of the identity provider: its query string, the parameter "state", and the secret of the browser. */
type Answer = { search: string; state: string | undefined; browser: string | null }

/**
 * Checks the answer of the identity provider and returns the address to open: /login with a one-time code, or with the reason of
 * the failure. Audits every refusal.
 */
export async function finishSingleSignOn(deps: SsoDeps, caller: Caller, answer: Answer): Promise<string> {
  const progress: Progress = { redirect: null, email: null, userInfoFailure: null }
  try {
    const code = await codeFor(deps, caller, answer, progress)
    return loginUrl(progress.redirect, `sso=${code}`)
  } catch (error) {
    const reason = failureFor(deps, error)
    deps.signInFailures.count(reason === 'too_many' ? 'too_many_attempts' : 'single_sign_on')
    if (error instanceof SsoError) {
      const actor = { ...callerOf(caller), id: null, email: progress.email }
      const sentences = [error.message, progress.userInfoFailure].filter((each) => each !== null)
      await auditRefusal(deps, actor, sentences.join(' '))
    }
    return failureUrl(reason, progress.redirect)
  }
}

/** What is known about a sign-in before it ends, also when it is refused. */
type Progress = { redirect: string | null; email: string | null; userInfoFailure: string | null }

/**
 * The reason that the person sees. Logs errors other than refusals, because writing to the audit log may be what
 * failed.
 */
function failureFor({ log }: SsoDeps, error: unknown): contract.SsoFailure {
  if (error instanceof SsoError) return error.reason
  if (error instanceof AppError && error.statusCode === 429) return 'too_many'
  log.error({ err: error }, 'a single sign-on failed')
  return 'unavailable'
}

/** The one-time code of a verified sign-in. */
async function codeFor(
  deps: SsoDeps,
  caller: Caller,
  { search, state, browser }: Answer,
  progress: Progress,
): Promise<string> {
  const { db, now, randomBytes } = deps
  const client = clientOf(deps)
  // Counted first: every answer costs a call to the identity provider and a row of the audit log.
  const reserved = await reserveAttempt(deps, attemptAt(`single sign-on ${browser ?? ''}`, caller.address), {
    actor: { ...callerOf(caller), id: null, email: null },
    action: login.schema.operationId,
    knownAddresses: async () => [],
  })
  const flow =
    state === undefined || browser === null
      ? undefined
      : await takeFlow(db, { state_hash: accessTokenHash(state), browser_hash: accessTokenHash(browser) }, now())
  if (state === undefined || browser === null || flow === undefined)
    throw new SsoError('expired', 'The sign-in was unknown, expired, finished before, or begun in another browser.')
  progress.redirect = flow.redirect
  const { claims, userInfoFailure, mayLackClaims } = await client.claimsOf(search, { state, ...flow }, now())
  progress.email = claims.email ?? null
  progress.userInfoFailure = userInfoFailure
  const { claim } = client.settings.roles
  const role = roleOf(claims, client.settings.roles)
  // At some identity providers, people can give themselves any address.
  if (claim === 'email' && claims.email_verified !== true)
    throw new SsoError('email_unverified', 'Only a verified email address has a role.')
  if (role === null) {
    const overage = overageOf(claims, claim)
    // Claims that are incomplete say nothing about the role.
    if (!mayLackClaims && overage === '') await endAccessWithoutRole(deps, caller, claims)
    throw new SsoError('no_role', `No value of the claim ${claim} has a role.${overage}`)
  }
  const person: SignedOn = {
    issuer: claims.iss,
    subject: claims.sub,
    email: claims.email ?? null,
    is_email_verified: claims.email_verified ?? null,
    name: claims.name ?? null,
    role,
    sid: claims.sid ?? null,
  }
  const code = newAccessToken(randomBytes)
  await inTransaction(db, async (trx) => {
    await accountFor(trx, person)
    await forgiveAttempts(trx, reserved)
    await insertCode(trx, {
      ...person,
      code_hash: accessTokenHash(code),
      browser_hash: accessTokenHash(browser),
      expires_at: later(now(), contract.SSO_CODE_SECONDS),
    })
  })
  return code
}

/**
 * Opens the session of a verified sign-in, once. Creates or links the account at the first sign-in, fills an empty name, and renews
 * the role, except that of the last active super admin. Throws 401 for an unknown code, and 403 if the account has become unusable.
 */
export async function openSingleSignOn(
  deps: SsoDeps,
  caller: Caller,
  { code, browser }: { code: string; browser: string },
) {
  const { db, now } = deps
  const hashes = { code_hash: accessTokenHash(code), browser_hash: accessTokenHash(browser) }
  const session = await inTransaction(db, async (trx) => {
    const person = await takeCode(trx, hashes, now())
    return person === undefined ? null : await openFor(deps, trx, caller, person)
  })
  if (session === null) throw unauthorized(contract.SSO_CODE_REFUSED)
  await endThrottleWindows(deps)
  return session
}

async function openFor(deps: SsoDeps, trx: Transaction<Database>, caller: Caller, person: SignedOn) {
  await lockIdentity(trx, person)
  const before = await accountOr403(trx, person)
  const isRoleKept = before.kind !== 'new' && (await isLastSuperAdmin(trx, before.account.id))
  if (before.kind !== 'new') await lockAccount(trx, before.account.id)
  // Read again under the locks: a deactivation or another role wins.
  const opened = await accountOr403(trx, person)
  const role = isRoleKept ? 'super_admin' : person.role
  const { account, identityId } = await saveAccount(deps, trx, caller, { opened, person, role })
  const { id, email, name, is_active, created_at } = account
  const session = await openSession(
    deps,
    trx,
    caller,
    { id, email, name, role, is_active, created_at },
    'single_sign_on',
  )
  const marks = { sso_identity_id: identityId, sso_sid: person.sid }
  await markSession(trx, accessTokenHash(session.access_token), marks)
  return session
}

async function accountOr403(trx: Transaction<Database>, person: SignedOn): Promise<Opened> {
  try {
    return await accountFor(trx, person)
  } catch (error) {
    if (error instanceof SsoError) throw new AppError(403, error.message)
    throw error
  }
}

/** Writes a new account, identity or role, and its audit entry. */
async function saveAccount(
  deps: SsoDeps,
  trx: Transaction<Database>,
  caller: Caller,
  { opened, person, role }: { opened: Opened; person: SignedOn; role: ConsoleRole },
) {
  const { now } = deps
  const created_at = now()
  const found =
    opened.kind === 'new'
      ? await insertAccount(trx, { email: opened.email, name: person.name, role, created_at })
      : opened.account
  // People can change their name here, so the claim only fills an empty one.
  const account = { ...found, name: found.name ?? person.name }
  const identity = { issuer: person.issuer, subject: person.subject }
  const identityId =
    opened.kind === 'known'
      ? opened.identity_id
      : await insertIdentity(trx, { ...identity, user_id: account.id, created_at })
  const changes = {
    ...(opened.kind === 'new'
      ? addedFields({ email: account.email, ...(account.name !== null && { name: account.name }), role })
      : changedFields({ name: found.name, role: found.role }, { name: account.name, role })),
    ...(opened.kind !== 'known' && addedFields(identity)),
  }
  if (account.name !== found.name || account.role !== role)
    await updateAccount(trx, account.id, { name: account.name, role })
  const ended = await endLostAccess(trx, now(), { ...account, role })
  if (Object.keys(changes).length > 0) {
    const actor: AuditActor = { ...callerOf(caller), id: account.id, email: account.email }
    const target = { type: 'user' as const, id: account.id, name: account.email, tenant_id: null }
    if (opened.kind !== 'new')
      await tellAccount(deps, trx, actor, account, [
        ...(opened.kind === 'linked' ? [`Single sign-on of ${identity.issuer} was linked.`] : []),
        ...standingChanges(account, { ...account, role }),
      ])
    const entry = { action: contract.openSingleSignOn.schema.operationId, target, changes }
    await writeAudits(trx, now(), actor, [...ended, entry])
  }
  return { account, identityId }
}

async function auditRefusal({ db, now }: SsoDeps, actor: AuditActor, reason: string): Promise<void> {
  const entry = { action: login.schema.operationId, outcome: 'refused' as const, reason: `Single sign-on: ${reason}` }
  await inTransaction(db, (trx) => writeAudit(trx, now(), actor, entry))
}

function callerOf({ address, request_id }: Caller) {
  return { address, request_id }
}

/** Returns the path if it belongs to the console, otherwise null. */
function ownPath(redirect: string | undefined): string | null {
  return safeRedirect(redirect, 'https://console.invalid') ?? null
}

function clientOf({ singleSignOn }: SsoDeps): SingleSignOn {
  if (singleSignOn === null) throw new SsoError('unavailable', 'Single sign-on is not configured.')
  return singleSignOn
}

export function failureUrl(reason: contract.SsoFailure, redirect: string | null): string {
  return loginUrl(redirect, `sso-error=${reason}`)
}

/** /login with a fragment: browsers send fragments to no server. */
function loginUrl(redirect: string | null, fragment: string): string {
  const query = redirect === null ? '' : `?${new URLSearchParams({ redirect }).toString()}`
  return `/login${query}#${fragment}`
}

function later(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000)
}
