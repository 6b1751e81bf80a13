import { createHash } from 'node:crypto'
import { tooManyRequests } from '@switchboard/server/errors'
import type { Deps } from '#src/deps.ts'
import { attemptsSince, insertAttempt, lockAccount } from './sign-in.queries.ts'

/** Failures are counted over this long (design §6, Sign-in throttle). */
export const WINDOW_MS = 15 * 60 * 1_000
/** Failures at one account from one address. */
const PAIR_MAX = 10
/** Failures at one account from everywhere, and from one address at all accounts: spread-out guessing ends here. */
const SPREAD_MAX = 100

/** The account as the throttle knows it. What was typed may be anything, a password even: only its hash is kept. */
export function accountHash(email: string): Buffer {
  return createHash('sha256').update(email.trim().toLowerCase()).digest()
}

/**
 * Counts a sign-in attempt as failed before its password is hashed, so that parallel guesses cannot outrun the count;
 * the caller removes it after success. Throws 429 with `Retry-After` when there were too many.
 */
export async function reserveAttempt(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  account: Buffer,
  address: string,
): Promise<void> {
  const at = now()
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, account)
    const recent = await attemptsSince(trx, new Date(at.getTime() - WINDOW_MS), account, address)
    const exceeded =
      (recent.pair.attempts >= PAIR_MAX && recent.pair) ||
      (recent.account.attempts >= SPREAD_MAX && recent.account) ||
      (recent.address.attempts >= SPREAD_MAX && recent.address)
    if (exceeded) {
      const endsAt = exceeded.oldest_at === null ? at.getTime() : Date.parse(exceeded.oldest_at) + WINDOW_MS
      throw throttled(Math.max(1, Math.ceil((endsAt - at.getTime()) / 1_000)))
    }
    await insertAttempt(trx, { account, address, at })
  })
}

function throttled(seconds: number) {
  const minutes = Math.ceil(seconds / 60)
  return tooManyRequests(
    `Too many sign-in attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    seconds,
  )
}
