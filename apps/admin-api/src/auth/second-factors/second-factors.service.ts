import { inTransaction } from '@switchboard/database/in-transaction'
import * as contract from '@switchboard/contract/second-factors'
import type { NewPasskey } from '@switchboard/contract/second-factors/passkeys'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { decryptSecret, encryptSecret } from '@switchboard/database/stored-secrets/encryption'
import type { Database } from '@switchboard/database/tables'
import { conflict, invalidField, notFound, unauthorized } from '@switchboard/server/http/errors'
import type { Insertable, Transaction } from 'kysely'
import { tellAccount } from '#src/auth/account-notices/account-notices.service.ts'
import { lockActiveUser } from '#src/auth/sign-in.queries.ts'
import type { Deps } from '#src/deps.ts'
import { deleteOtherSessions, markConfirmedWithFactor } from '#src/auth/sessions/sessions.queries.ts'
import type { SignedInActor } from '#src/auth/sessions/sessions.service.ts'
import { openChallengeOf, takeChallenge } from './challenges.queries.ts'
import { openChallenge } from './challenges.service.ts'
import { creationOf, type Site, verifiedNewPasskey } from './passkeys.service.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import * as queries from './second-factors.queries.ts'
import { acceptedStep, newTotpSecret, totpTexts } from './totp.ts'

const ENROLLMENT_ENDED = 'Adding this second factor has taken too long. Begin again.'
const WRONG_CODE = 'This code is not right. Check the time of your phone, or wait for the next code.'
const INVALID_PASSKEY = 'This passkey could not be verified.'
const FULL = `An account can have ${contract.SECOND_FACTORS_MAX} second factors.`
const LAST_REQUIRED = 'A second factor is required. Add another one before you remove this one.'
const NO_SECOND_FACTOR = 'Add a second factor first.'

/** The caller's second factors, without secrets. */
export async function secondFactors({ db }: Deps, actor: SignedInActor): Promise<contract.SecondFactors> {
  return {
    second_factors: await queries.secondFactorsOfUser(db, actor.id),
    unused_recovery_codes: await queries.countUnusedCodes(db, actor.id),
    is_required: await queries.isSecondFactorRequired(db),
  }
}

/** A new secret for an authenticator app. `addTotp` stores the app within five minutes. */
export async function beginTotp(deps: Deps, actor: SignedInActor): Promise<contract.TotpEnrollment> {
  const totp_secret = newTotpSecret(deps.randomBytes)
  const stored = encryptSecret(deps, actor.id, totp_secret)
  const { id } = await openChallenge(deps, deps.db, { ...newEnrollment(actor), totp_secret: stored })
  const issuer = deps.consoleSettings.brand_name
  return { id, ...totpTexts(totp_secret, { issuer, label: actor.email }) }
}

/** Adds the app whose code is right. Throws 409 after the end of the enrollment, and 422 for a wrong code. */
export async function addTotp(
  deps: Deps,
  actor: SignedInActor,
  { id, name, code }: { id: string; name: string; code: string },
): Promise<contract.AddedSecondFactor> {
  const { totp_secret: stored } = await openEnrollment(deps, actor, id)
  const secret = stored && decryptSecret(deps.secretKeys, actor.id, stored)
  if (secret === null) throw conflict(ENROLLMENT_ENDED)
  const totp_step = acceptedStep(secret, { code, at: deps.now(), lastStep: 0 })
  if (totp_step === null) throw invalidField('code', WRONG_CODE)
  const factor = { kind: 'totp' as const, name, totp_secret: encryptSecret(deps, actor.id, secret), totp_step }
  return await addFactor(deps, actor, { id, factor, action: contract.addTotp.schema.operationId })
}

/** The request for a new passkey. `addPasskey` stores the passkey within five minutes. */
export async function beginPasskey(deps: Deps, actor: SignedInActor, site: Site): Promise<contract.PasskeyEnrollment> {
  const { id, webauthn_challenge } = await openChallenge(deps, deps.db, newEnrollment(actor))
  const credentials = await queries.credentialsOfUser(deps.db, actor.id)
  const brand = deps.consoleSettings.brand_name
  return { id, passkey: creationOf(webauthn_challenge, site, { brand, user: actor, credentials }) }
}

/** Adds the passkey. Throws 409 after the end of the enrollment, and 422 for a passkey of another site or challenge. */
export async function addPasskey(
  deps: Deps,
  actor: SignedInActor,
  { id, name, passkey }: { id: string; name: string; passkey: NewPasskey },
  site: Site,
): Promise<contract.AddedSecondFactor> {
  const { webauthn_challenge } = await openEnrollment(deps, actor, id)
  const verified = await verifiedNewPasskey(deps, passkey, webauthn_challenge, site)
  if (verified === null) throw invalidField('passkey', INVALID_PASSKEY)
  const factor = { kind: 'passkey' as const, name, ...verified }
  return await addFactor(deps, actor, { id, factor, action: contract.addPasskey.schema.operationId })
}

/** Removes a second factor; with the last one the recovery codes. Throws 404, and 409 for the last one while one is required. */
export async function deleteSecondFactor(deps: Deps, actor: SignedInActor, id: string): Promise<void> {
  const { db, now } = deps
  await inTransaction(db, async (trx) => {
    const { second_factor_required } = await queries.lockSecuritySettings(trx)
    const factors = await lockFactors(trx, actor)
    const factor = factors.find((each) => each.id === id)
    if (factor === undefined) throw notFound('Second factor')
    const isLast = factors.length === 1
    if (isLast && second_factor_required) throw conflict(LAST_REQUIRED)
    await queries.deleteSecondFactorRow(trx, id)
    if (isLast) await queries.replaceRecoveryCodes(trx, actor.id, [])
    await tellAccount(deps, trx, actor, actor, [
      `${factorText(factor)} was removed.`,
      ...(isLast ? ['The recovery codes were removed.'] : []),
    ])
    const changes = { second_factor: { before: factor.name, after: null } }
    await writeAudit(trx, now(), actor, { action: contract.deleteSecondFactor.schema.operationId, changes })
  })
}

/** Replaces the recovery codes. Throws 409 without a second factor. */
export async function renewRecoveryCodes(deps: Deps, actor: SignedInActor): Promise<string[]> {
  const { db, now, randomBytes } = deps
  const codes = newRecoveryCodes(randomBytes)
  await inTransaction(db, async (trx) => {
    if ((await lockFactors(trx, actor)).length === 0) throw conflict(NO_SECOND_FACTOR)
    await queries.replaceRecoveryCodes(trx, actor.id, codes.map(recoveryCodeHash))
    await tellAccount(deps, trx, actor, actor, ['The recovery codes were replaced.'])
    await writeAudit(trx, now(), actor, { action: contract.renewRecoveryCodes.schema.operationId })
  })
  return codes
}

function newEnrollment({ id, address }: SignedInActor) {
  return { user_id: id, purpose: 'enrollment' as const, address, user_agent: null }
}

/** The caller's open enrollment. Answers are not counted: the caller knows the secret. */
async function openEnrollment({ db, now }: Deps, actor: SignedInActor, id: string) {
  const challenge = await openChallengeOf(db, { id, purpose: 'enrollment', at: now() })
  if (challenge?.user_id !== actor.id) throw conflict(ENROLLMENT_ENDED)
  return challenge
}

type NewFactor = Omit<Insertable<Database['second_factors']>, 'user_id' | 'created_at'>

/**
 * The first second factor ends the other sessions, because they began without one, and confirms the session that added
 * it.
 */
async function addFactor(
  deps: Deps,
  actor: SignedInActor,
  { id, factor, action }: { id: string; factor: NewFactor; action: string },
): Promise<contract.AddedSecondFactor> {
  const { db, now, randomBytes } = deps
  return await inTransaction(db, async (trx) => {
    const factors = await lockFactors(trx, actor)
    if (factors.length >= contract.SECOND_FACTORS_MAX) throw conflict(FULL)
    if (!(await takeChallenge(trx, id))) throw conflict(ENROLLMENT_ENDED)
    const added = await queries.insertSecondFactor(trx, { ...factor, user_id: actor.id, created_at: now() })
    const codes = factors.length === 0 ? newRecoveryCodes(randomBytes) : null
    if (codes !== null) {
      await queries.replaceRecoveryCodes(trx, actor.id, codes.map(recoveryCodeHash))
      await deleteOtherSessions(trx, actor, now())
      await markConfirmedWithFactor(trx, actor.session_id, now())
    }
    await tellAccount(deps, trx, actor, actor, [
      `${factorText(added)} was added.`,
      ...(codes === null ? [] : ['Recovery codes were created.']),
    ])
    const changes = { second_factor: { before: null, after: added.name } }
    await writeAudit(trx, now(), actor, { action, changes })
    return { ...added, recovery_codes: codes }
  })
}

/** "The passkey “Laptop”" */
function factorText({ kind, name }: Pick<contract.SecondFactor, 'kind' | 'name'>): string {
  return `The ${kind === 'totp' ? 'authenticator app' : 'passkey'} “${name}”`
}

/** The second factors of the caller, with the account locked. Throws 401 for a removed account. */
async function lockFactors(trx: Transaction<Database>, actor: SignedInActor) {
  if ((await lockActiveUser(trx, actor.id)) === undefined) throw unauthorized('Not authenticated')
  return await queries.secondFactorsOfUser(trx, actor.id)
}
