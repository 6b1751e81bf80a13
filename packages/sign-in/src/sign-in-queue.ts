import { unavailable } from '@switchboard/server/http/errors'
import pLimit, { type LimitFunction } from 'p-limit'

/** How long a sign-in waits for a database connection, in milliseconds: longer than other calls, because a person waits. */
export const SIGN_IN_WAIT_MS = 10_000
/** Concurrent sign-ins per party. Further sign-ins of the party wait in the party's own queue. */
const PARTY_MAX = 2
const PARTY_WAITING_MAX = 400
/** Attempts counted concurrently. Each attempt holds a database connection, and other calls need connections too. */
const COUNTING_MAX = 4
/** Passwords verified concurrently, including the start of the session. */
const VERIFYING_MAX = 8
const WAITING_MAX = 256

const parties = new Map<string, { limit: LimitFunction; length: number }>()
const counting = pLimit(COUNTING_MAX)
const verifying = pLimit(VERIFYING_MAX)

/**
 * Runs `count`, then `verify`. `count` throws if the throttle refuses the sign-in, so a refused sign-in never waits for
 * password verification. `party` is the network of a sign-in to the console, or the tenant of a sign-in to a portal:
 * anyone with the key of a tenant can report any network. A party with many sign-ins delays only its own. Throws 503 if
 * too many wait.
 */
export async function runInTurn<Counted, Result>(
  party: string,
  { count, verify }: { count: () => Promise<Counted>; verify: (counted: Counted) => Promise<Result> },
): Promise<Result> {
  const own = parties.get(party) ?? { limit: pLimit(PARTY_MAX), length: 0 }
  if (own.length >= PARTY_WAITING_MAX) throw tooManyAtOnce()
  parties.set(party, own)
  own.length += 1
  try {
    return await own.limit(async () => {
      const counted = await enter(counting, count)
      return await enter(verifying, () => verify(counted))
    })
  } finally {
    own.length -= 1
    if (own.length === 0) parties.delete(party)
  }
}

function enter<Result>(queue: LimitFunction, work: () => Promise<Result>): Promise<Result> {
  if (queue.pendingCount >= WAITING_MAX) throw tooManyAtOnce()
  return queue(work)
}

function tooManyAtOnce() {
  return unavailable('Too many sign-ins at once. Try again in a moment.')
}
