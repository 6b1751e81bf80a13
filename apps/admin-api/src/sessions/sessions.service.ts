import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import type { AuditActor } from '@switchboard/database/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { unauthorized } from '@switchboard/server/http/errors'
import type { Kysely } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { accessTokenHash, newAccessToken } from '#src/auth/access-token.ts'
import {
  deleteSessionsExpiredBefore,
  insertSession,
  type LivingLimits,
  livingSession,
  setTokenHash,
  touchSession,
} from './sessions.queries.ts'

/** A session ends this long after it was last used, and this long after sign-in whatever happens (design §6, Sessions). */
const IDLE_MS = 2 * 60 * 60 * 1_000
const ABSOLUTE_MS = 12 * 60 * 60 * 1_000
/** So long after its end a session still tells where its admin is known (the throttle's exemption). */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000
/** Being used is written down no more often than this. */
const TOUCH_EVERY_MS = 60 * 1_000
const USER_AGENT_MAX = 400

/** The signed-in admin of a request: who acts, in which session, from where. */
export type Actor = AuditActor & {
  id: string
  email: string
  session_id: string
  token_hash: Buffer
  admin: CurrentAdmin
}

/** Opens a session and returns its token, which exists nowhere else, and its end. */
export async function startSession(
  { now, randomBytes }: Pick<Deps, 'now' | 'randomBytes'>,
  db: Kysely<Database>,
  session: { admin_id: string; address: string | null; user_agent: string | null },
): Promise<{ access_token: string; expires_at: string }> {
  const at = now()
  const token = newAccessToken(randomBytes)
  const expiresAt = new Date(at.getTime() + ABSOLUTE_MS)
  await deleteSessionsExpiredBefore(db, new Date(at.getTime() - KEPT_MS))
  await insertSession(db, {
    ...session,
    user_agent: session.user_agent?.slice(0, USER_AGENT_MAX) ?? null,
    token_hash: accessTokenHash(token),
    created_at: at,
    last_seen_at: at,
    expires_at: expiresAt,
  })
  return { access_token: token, expires_at: expiresAt.toISOString() }
}

/** For whoever takes somebody's right to sign in. */
export { deleteSessionsOfUser as endSessionsOfUser } from './sessions.queries.ts'

/** Gives an open session a new token; the old one opens nothing any more. Its end stays what it was. */
export async function renewToken(
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  db: Kysely<Database>,
  sessionId: string,
): Promise<{ access_token: string; expires_at: string }> {
  const token = newAccessToken(randomBytes)
  return { access_token: token, expires_at: await setTokenHash(db, sessionId, accessTokenHash(token)) }
}

/** The living session that a token names, or `null`. Idle and absolute limits go by the server's clock. */
export async function sessionOfToken({ db, now }: Pick<Deps, 'db' | 'now'>, token: string) {
  const at = now()
  const token_hash = accessTokenHash(token)
  const found = await livingSession(db, token_hash, livingLimits(at))
  if (found === undefined) return null
  const { session_id, last_seen_at, ...admin } = found
  if (at.getTime() - Date.parse(last_seen_at) >= TOUCH_EVERY_MS) await touchSession(db, session_id, at)
  return { session_id, token_hash, admin }
}

/** Between the steps of what takes long: throws 401 when the request's token, by now, opens nothing any more. */
export async function refuseEndedSession({ db, now }: Pick<Deps, 'db' | 'now'>, { token_hash }: Actor): Promise<void> {
  const found = await livingSession(db, token_hash, livingLimits(now()))
  if (found === undefined) throw unauthorized('Not authenticated')
}

/** Which sessions are alive at a moment. */
export function livingLimits(at: Date): LivingLimits {
  return { now: at, idleSince: new Date(at.getTime() - IDLE_MS) }
}
