import { unavailable } from '@switchboard/server/http/errors'
import pLimit, { type LimitFunction } from 'p-limit'
import { siteOf } from './throttle.ts'

/**
 * How long a sign-in waits for a database connection, in milliseconds: longer than other calls, because a person waits.
 */
export const SIGN_IN_WAIT_MS = 10_000
/** Concurrent sign-ins per party. Further sign-ins of the party wait in the party's own queue. */
const PARTY_MAX = 2
const PARTY_WAITING_MAX = 400
/** The same limits for all networks of a site, because one host can have 65,536 networks. */
const SITE_MAX = 4
const SITE_WAITING_MAX = 400
/** Attempts counted concurrently. Each attempt holds a database connection, and other calls need connections too. */
const COUNTING_MAX = 4
/** Passwords verified concurrently, including the start of the session. */
const VERIFYING_MAX = 8
const WAITING_MAX = 256
/** Places in the queue that are reserved for known networks. */
const KNOWN_PLACES = 64
const KNOWN_NETWORKS_MAX = 10_000

const ofParties = createLanes(PARTY_MAX, PARTY_WAITING_MAX)
const ofSites = createLanes(SITE_MAX, SITE_WAITING_MAX)
const counting = pLimit(COUNTING_MAX)
const verifying = pLimit(VERIFYING_MAX)
/** The networks of signed-in people, the most recent ones last. */
const known = new Set<string>()

/**
 * Runs `count`, then `verify`. `count` throws if the throttle refuses the sign-in, so a refused sign-in never waits for
 * password verification. `party` is the network of a sign-in to the console, or the tenant of a sign-in to a portal:
 * anyone with the key of a tenant can report any network. A party with many sign-ins only delays itself. The same holds
 * for a site (/48 of IPv6, /24 of IPv4) with many networks, but networks of signed-in people do not wait for their
 * site. Throws 503 if too many sign-ins wait.
 */
export async function runInTurn<Counted, Result>(
  party: string,
  { count, verify }: { count: () => Promise<Counted>; verify: (counted: Counted) => Promise<Result> },
): Promise<Result> {
  const isKnown = known.has(party)
  const site = isKnown ? null : siteOf(party)
  const run = async () => {
    const counted = await enter(counting, isKnown, count)
    return await enter(verifying, isKnown, () => verify(counted))
  }
  return await ofParties(party, () => (site === null ? run() : ofSites(site, run)))
}

/** Remembers the network of a signed-in person, in the memory of this process. */
export function rememberNetwork(network: string): void {
  known.delete(network)
  known.add(network)
  const [oldest] = known
  if (known.size > KNOWN_NETWORKS_MAX && oldest !== undefined) known.delete(oldest)
}

type Lanes = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** One queue for each key that has work. */
function createLanes(concurrentMax: number, waitingMax: number): Lanes {
  const lanes = new Map<string, { limit: LimitFunction; length: number }>()
  return async (key, work) => {
    const lane = lanes.getOrInsertComputed(key, () => ({ limit: pLimit(concurrentMax), length: 0 }))
    if (lane.length >= waitingMax) throw tooManyAtOnce()
    lane.length += 1
    try {
      return await lane.limit(work)
    } finally {
      lane.length -= 1
      if (lane.length === 0) lanes.delete(key)
    }
  }
}

function enter<Result>(queue: LimitFunction, isKnown: boolean, work: () => Promise<Result>): Promise<Result> {
  if (queue.pendingCount >= (isKnown ? WAITING_MAX : WAITING_MAX - KNOWN_PLACES)) throw tooManyAtOnce()
  return queue(work)
}

function tooManyAtOnce() {
  return unavailable('Too many sign-ins at once. Try again in a moment.')
}
