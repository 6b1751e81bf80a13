import type { SecondFactorProof } from '@switchboard/contract/auth/challenge'
import type { SecondFactorMethod } from '@switchboard/contract/auth/second-factor-method'
import { decryptSecret } from '@switchboard/database/stored-secrets/encryption'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { type Challenge, takeChallenge } from './challenges.queries.ts'
import { type Site, verifiedPasskey } from './passkeys.service.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import { lockPasskey, lockTotpFactors, takeRecoveryCode, updateSecondFactor } from './second-factors.queries.ts'
import { acceptedStep } from './totp.ts'

type ProofDeps = Pick<Deps, 'now' | 'log' | 'secretKeys'>

/**
 * The challenge that a passkey signed, and its site. `isAlone` marks a sign-in without a password, which needs a
 * passkey. `mustVerifyUser` is set if the proof comes without a password: a passkey without a PIN or a fingerprint is
 * not enough then.
 */
type ProofContext = { webauthn_challenge: string; site: Site; isAlone: boolean; mustVerifyUser: boolean }

/**
 * Checks the answer to a challenge that `countedChallenge` has counted. The right answer uses up the code and the challenge.
 * `ended` if another answer or a new password has ended the challenge. Needs the lock of the account.
 */
export async function verifyAnswer(
  deps: ProofDeps,
  trx: Transaction<Database>,
  { id, user_id, webauthn_challenge }: Challenge,
  {
    mustVerifyUser = false,
    ...answer
  }: { user_id: string; proof: SecondFactorProof; site: Site; mustVerifyUser?: boolean },
): Promise<'right' | 'wrong' | 'ended'> {
  const isAlone = user_id === null
  const context = { webauthn_challenge, site: answer.site, isAlone, mustVerifyUser: isAlone || mustVerifyUser }
  if (!(await verifySecondFactor(deps, trx, answer.user_id, answer.proof, context))) return 'wrong'
  return (await takeChallenge(trx, id)) ? 'right' : 'ended'
}

/** The kind of a proof. */
export function methodOf({ code, recovery_code }: SecondFactorProof): SecondFactorMethod {
  if (code !== undefined) return 'totp'
  return recovery_code === undefined ? 'passkey' : 'recovery_code'
}

/** Checks a proof and uses it up: a code and a recovery code are right once. */
async function verifySecondFactor(
  deps: ProofDeps,
  trx: Transaction<Database>,
  userId: string,
  { code, recovery_code, passkey }: SecondFactorProof,
  { webauthn_challenge, site, isAlone, mustVerifyUser }: ProofContext,
): Promise<boolean> {
  const at = deps.now()
  if (passkey !== undefined) {
    const row = await lockPasskey(trx, userId, passkey.credential_id)
    const asked = { challenge: webauthn_challenge, site, mustVerifyUser }
    const changes = row && (await verifiedPasskey(deps, passkey, row, asked))
    if (!row || !changes) return false
    await updateSecondFactor(trx, row.id, { ...changes, last_used_at: at })
    return true
  }
  if (isAlone) return false
  if (code !== undefined) return await takeCode(deps, trx, userId, code)
  const code_hash = recoveryCodeHash(recovery_code ?? '')
  return await takeRecoveryCode(trx, userId, { code_hash, at })
}

async function takeCode(
  { now, log, secretKeys }: ProofDeps,
  trx: Transaction<Database>,
  userId: string,
  code: string,
): Promise<boolean> {
  const at = now()
  for (const { id, totp_secret, totp_step } of await lockTotpFactors(trx, userId)) {
    const secret = totp_secret && decryptSecret(secretKeys, userId, totp_secret)
    if (secret === null) log.error({ second_factor_id: id }, 'an authenticator app cannot be decrypted')
    const step = secret && acceptedStep(secret, { code, at, lastStep: totp_step ?? 0 })
    if (step === null) continue
    await updateSecondFactor(trx, id, { totp_step: step, last_used_at: at })
    return true
  }
  return false
}
