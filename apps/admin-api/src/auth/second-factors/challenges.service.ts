import { CHALLENGE_MINUTES, type SecondFactorProof, type SignInChallenge } from '@switchboard/contract/auth/challenge'
import type { SecondFactorMethod } from '@switchboard/contract/auth/second-factor-method'
import type { ChallengePurpose } from '@switchboard/database/second-factor-tables'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import type { Deps } from '#src/deps.ts'
import * as queries from './challenges.queries.ts'
import { newWebauthnChallenge, requestOf, type Site } from './passkeys.service.ts'
import {
  countUnusedCodes,
  credentialsOfUser,
  emailOfUser,
  hasVerifyingPasskey,
  kindsOfUser,
  userOfPasskey,
} from './second-factors.queries.ts'

type ChallengeDeps = Pick<Deps, 'now' | 'randomBytes'>

/** The account to ask, and where the request comes from. */
type ChallengeRequest = { user_id: string; address: string | null; user_agent: string | null; site: Site }

/**
 * Asks an account for its second factor: opens a challenge for five minutes and five answers. Returns `null` for an account
 * without a second factor. `attempt_id` is the counted password step of a sign-in.
 */
export async function askSecondFactor(
  deps: ChallengeDeps,
  db: Kysely<Database>,
  purpose: Exclude<ChallengePurpose, 'enrollment'>,
  { user_id, address, user_agent, site, attempt_id = null }: ChallengeRequest & { attempt_id?: number | null },
): Promise<SignInChallenge | null> {
  const methods = await methodsOf(db, user_id)
  if (methods.length === 0) return null
  const challenge = { user_id, purpose, address, user_agent, attempt_id }
  const { id, webauthn_challenge } = await openChallenge(deps, db, challenge)
  const credentials = methods.includes('passkey') ? await credentialsOfUser(db, user_id) : []
  // A sign-in has already checked the password. A confirmation has not, so its passkey must verify the user, unless no
  // passkey of the account can: then it asks for the password too.
  const isVerified = purpose === 'confirmation' && (await hasVerifyingPasskey(db, user_id))
  const verification = isVerified ? 'required' : 'preferred'
  const passkey = credentials.length === 0 ? null : requestOf(webauthn_challenge, site, { credentials, verification })
  return { id, methods, passkey }
}

/** Asks for any passkey that can sign in without a password. */
export async function askPasskey(
  deps: ChallengeDeps & Pick<Deps, 'db'>,
  { address, user_agent, site }: Omit<ChallengeRequest, 'user_id'>,
): Promise<SignInChallenge> {
  if (address !== null) await queries.deleteOldAnonymousChallenges(deps.db, address)
  const opened = await openChallenge(deps, deps.db, { user_id: null, purpose: 'sign_in', address, user_agent })
  return {
    id: opened.id,
    methods: ['passkey'],
    passkey: requestOf(opened.webauthn_challenge, site, { credentials: [], verification: 'required' }),
  }
}

type NewChallenge = {
  user_id: string | null
  purpose: ChallengePurpose
  address: string | null
  user_agent: string | null
  attempt_id?: number | null
  totp_secret?: Buffer
}

/** Opens a challenge for five minutes. Deletes expired ones. */
export async function openChallenge(
  { now, randomBytes }: ChallengeDeps,
  db: Kysely<Database>,
  { user_agent, ...challenge }: NewChallenge,
): Promise<{ id: string; webauthn_challenge: string }> {
  const created_at = now()
  const expires_at = new Date(created_at.getTime() + CHALLENGE_MINUTES * 60_000)
  const webauthn_challenge = newWebauthnChallenge(randomBytes)
  await queries.deleteExpiredChallenges(db, created_at)
  const id = await queries.insertChallenge(db, {
    ...challenge,
    user_agent: user_agent?.slice(0, 400) ?? null,
    created_at,
    expires_at,
    webauthn_challenge,
  })
  return { id, webauthn_challenge }
}

/**
 * Counts an answer to an open challenge as wrong before its check, so that parallel guesses cannot exceed the limit. Returns
 * the challenge with the number of answers, or `undefined` if the challenge has ended.
 */
export async function countedChallenge(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  purpose: ChallengePurpose,
  id: string,
): Promise<queries.Challenge | undefined> {
  const challenge = await queries.openChallengeOf(db, { id, purpose, at: now() })
  const failures = challenge && (await queries.countAnswer(db, id))
  return challenge && failures !== undefined ? { ...challenge, failures } : undefined
}

/** The account of an answer: that of the challenge, or that of the passkey in a sign-in without a password. */
export async function accountOfAnswer(
  { db }: Pick<Deps, 'db'>,
  { user_id }: queries.Challenge,
  { passkey }: SecondFactorProof,
): Promise<{ id: string; email: string } | undefined> {
  if (user_id !== null) return await emailOfUser(db, user_id)
  return passkey && (await userOfPasskey(db, passkey.credential_id))
}

export async function hasSecondFactor(db: Kysely<Database>, userId: string): Promise<boolean> {
  return (await kindsOfUser(db, userId)).length > 0
}

async function methodsOf(db: Kysely<Database>, userId: string): Promise<SecondFactorMethod[]> {
  const kinds = await kindsOfUser(db, userId)
  if (kinds.length === 0) return []
  const codes = await countUnusedCodes(db, userId)
  return (['totp', 'passkey', 'recovery_code'] as const).filter((method) =>
    method === 'recovery_code' ? codes > 0 : kinds.includes(method),
  )
}
