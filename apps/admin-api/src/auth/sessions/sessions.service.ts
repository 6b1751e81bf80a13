import type { ConsoleRole, CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { roleOfScopes, type Scope } from '@switchboard/contract/tokens/scopes'
import type { AuditActor } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { unauthorized } from '@switchboard/server/http/errors'
import type { Kysely } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { accessTokenHash, newAccessToken } from '@switchboard/sign-in/access-token'
import { liveToken } from '@switchboard/sign-in/service-tokens'
import {
  deleteSessionsExpiredBefore,
  insertSession,
  type LiveLimits,
  liveSession,
  setTokenHash,
  touchSession,
} from './sessions.queries.ts'

/** Idle and absolute lifetime of a session. */
const IDLE_MS = 2 * 60 * 60 * 1_000
const ABSOLUTE_MS = 12 * 60 * 60 * 1_000
/** Retention of ended sessions, which prove for the throttle that an address is known. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000
/** Minimum interval between two writes of `last_seen_at`. */
const TOUCH_EVERY_MS = 60 * 1_000
const USER_AGENT_MAX = 400

/**
 * The actor of a request: a person with a session, or a service token without one. `id` and `email` name the actor in the
 * audit log. `admin` is the account: the person, or the maker of the service token with the role of its scopes.
 */
export type Actor = AuditActor & {
  id: string
  email: string
  session_id: string | null
  token_hash: Buffer
  /** The scopes of a service token. A person has none. */
  scopes?: readonly Scope[]
  /**
   * Time of the sign-in or of the last confirmation. If the account has a second factor, only those with this factor
   * count. Null if there is none, and for service tokens, which no person uses.
   */
  confirmed_at: string | null
  admin: CurrentAdmin
}
/** A person with a session. */
export type SignedInActor = Actor & { session_id: string }

/**
 * Creates a session, which its sign-in confirms. `with_factor` says that the sign-in had a second factor. Returns the
 * id, the end and the token of the session. Only the hash of the token is stored.
 */
export async function startSession(
  { now, randomBytes }: Pick<Deps, 'now' | 'randomBytes'>,
  db: Kysely<Database>,
  {
    with_factor = false,
    ...session
  }: { user_id: string; address: string | null; user_agent: string | null; with_factor?: boolean },
): Promise<{ session_id: string; access_token: string; expires_at: string }> {
  const at = now()
  const token = newAccessToken(randomBytes)
  const expiresAt = new Date(at.getTime() + ABSOLUTE_MS)
  await deleteSessionsExpiredBefore(db, new Date(at.getTime() - RETENTION_MS))
  const session_id = await insertSession(db, {
    ...session,
    user_agent: session.user_agent?.slice(0, USER_AGENT_MAX) ?? null,
    token_hash: accessTokenHash(token),
    created_at: at,
    last_seen_at: at,
    confirmed_at: at,
    confirmed_with_factor_at: with_factor ? at : null,
    expires_at: expiresAt,
  })
  return { session_id, access_token: token, expires_at: expiresAt.toISOString() }
}

/** Replaces the token of a live session. The end of the session stays the same. */
export async function renewToken(
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  db: Kysely<Database>,
  sessionId: string,
): Promise<{ access_token: string; expires_at: string }> {
  const token = newAccessToken(randomBytes)
  return { access_token: token, expires_at: await setTokenHash(db, sessionId, accessTokenHash(token)) }
}

/** The live session of a token, or `null`. */
export async function sessionOfToken({ db, now }: Pick<Deps, 'db' | 'now'>, token: string) {
  const at = now()
  const token_hash = accessTokenHash(token)
  const found = await liveSession(db, token_hash, liveLimits(at))
  if (found === undefined) return null
  const { session_id, last_seen_at, confirmed_at, must_enroll, ...account } = found
  const admin: CurrentAdmin = must_enroll ? { ...account, must_enroll } : account
  if (at.getTime() - Date.parse(last_seen_at) >= TOUCH_EVERY_MS) await touchSession(db, session_id, at)
  return { session_id, token_hash, confirmed_at, admin }
}

/**
 * For long requests, between steps: throws 401 if the session or the service token has ended since the authentication.
 * Returns the current role, and whether the account lacks a required second factor.
 */
export async function refuseEndedSession(
  deps: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
): Promise<{ role: ConsoleRole; must_enroll: boolean }> {
  const { session_id, token_hash } = actor
  if (session_id !== null) {
    const session = await liveSession(deps.db, token_hash, liveLimits(deps.now()))
    if (session === undefined) throw unauthorized('Not authenticated')
    return session
  }
  const token = await liveToken(deps, token_hash)
  if (token === null) throw unauthorized('Not authenticated')
  return { role: roleOfScopes(token.scopes), must_enroll: token.must_enroll }
}

/** Bounds of live sessions at a moment. */
export function liveLimits(at: Date): LiveLimits {
  return { now: at, idleSince: new Date(at.getTime() - IDLE_MS) }
}
