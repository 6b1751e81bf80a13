import { createHash } from 'node:crypto'
import { type AuditActor, writeAudit } from '@switchboard/database/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { type AppError, tooManyRequests, unavailable } from '@switchboard/server/errors'
import ipaddr from 'ipaddr.js'
import type { Transaction } from 'kysely'
import pLimit from 'p-limit'
import type { Deps } from '#src/deps.ts'
import { addressesOfAccount, type Attempt, attemptsSince, insertAttempt, lockAttempts } from './sign-in.queries.ts'

/** Failures are counted over this long (design §6, Sign-in throttle). */
export const WINDOW_MS = 15 * 60 * 1_000
/** Failures at one account from one address. */
const PAIR_MAX = 10
/**
 * Failures at one account from everywhere, and from one address at all accounts: spread-out guessing ends here. Where
 * the account was signed in to before, the first does not count, or any stranger could lock its owner out.
 */
const SPREAD_MAX = 100

/** Sign-ins under way at a time, and most that wait for their turn. */
const turns = pLimit(8)
const IN_LINE_MAX = 256

/**
 * An address as it is compared and counted: one folding for both, because the database folds some letters differently
 * and every difference would be a second account to guess at.
 */
export function foldEmail(typed: string): string {
  return typed.trim().toLowerCase()
}

/** An attempt as the throttle counts it: at an account, a folded e-mail address or a session, from an IP address. */
export function attemptAt(account: string, address: string): Attempt {
  return { account: accountHash(account), address: networkOf(address) }
}

/** The account as the throttle knows it. What was typed may be anything, a password even: only its hash is kept. */
export function accountHash(foldedEmail: string): Buffer {
  return createHash('sha256').update(foldedEmail).digest()
}

/**
 * Runs a sign-in when it is its turn. Waiting here, before anything is counted, holds neither a connection nor a hash.
 * Throws 503 when too many wait.
 */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (turns.pendingCount >= IN_LINE_MAX) throw unavailable('Too many sign-ins at once. Try again in a moment.')
  return turns(work)
}

/**
 * Counts a sign-in attempt as failed before its password is hashed, so that parallel guesses cannot outrun the count;
 * the caller removes it after success. Throws 429 with `Retry-After` when there were too many; the first such refusal
 * of a window is audited, more would only let a stranger fill the log. `foldedEmail` is whose sign-in it is; without it
 * somebody is signed in, and only failures of that session count.
 */
export async function reserveAttempt(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  attempt: Attempt,
  { actor, action, foldedEmail }: { actor: AuditActor; action: string; foldedEmail?: string },
): Promise<void> {
  const at = now()
  const refusal = await db.transaction().execute(async (trx) => {
    await lockAttempts(trx, attempt)
    const recent = await attemptsSince(trx, new Date(at.getTime() - WINDOW_MS), attempt)
    const exceeded =
      (recent.pair.attempts >= PAIR_MAX && recent.pair) ||
      (foldedEmail !== undefined && recent.address.attempts >= SPREAD_MAX && recent.address) ||
      (recent.account.attempts >= SPREAD_MAX && !(await isKnown(trx, attempt, foldedEmail)) && recent.account)
    if (!exceeded) {
      await insertAttempt(trx, { ...attempt, at })
      return null
    }
    const throttled = refusalUntil(exceeded.oldest_at, at)
    if (recent.refusals === 0) {
      await insertAttempt(trx, { ...attempt, at, is_refusal: true })
      await writeAudit(trx, at, actor, {
        action,
        outcome: 'refused',
        reason: throttled.message,
      })
    }
    return throttled
  })
  if (refusal !== null) throw refusal
}

/** Whether the account was signed in to from the network of this attempt. */
async function isKnown(trx: Transaction<Database>, { address }: Attempt, foldedEmail?: string): Promise<boolean> {
  if (foldedEmail === undefined) return false
  const known = await addressesOfAccount(trx, foldedEmail)
  return known.some((one) => networkOf(one) === address)
}

/** What one subscriber has: an IPv4 address, or the /64 of an IPv6 address, within which anybody has 2⁶⁴. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`
}

function refusalUntil(oldestAt: string | null, at: Date): AppError {
  const endsAt = oldestAt === null ? at.getTime() : Date.parse(oldestAt) + WINDOW_MS
  const seconds = Math.max(1, Math.ceil((endsAt - at.getTime()) / 1_000))
  const minutes = Math.ceil(seconds / 60)
  return tooManyRequests(
    `Too many sign-in attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    seconds,
  )
}
