import { hash } from 'node:crypto'
import { isOriginAllowed } from '@switchboard/contract/api-keys/allowed-origins'
import { isWellFormedKey } from '@switchboard/contract/api-keys/key-format'
import { KEY_OUTCOMES, type KeyOutcome, NOT_KEYS } from '@switchboard/contract/api-keys/key-outcomes'
import type { KeyDetails } from '@switchboard/contract/api-keys/key-verification'
import { detailsOfKey, type KeyRecord } from './key-check.queries.ts'
import { createKeyCache } from './key-cache.ts'
import type { Changes } from '#src/changes.ts'
import type { Deps } from '#src/deps.ts'
import { createKeyLoader } from './key-loader.ts'
import { createKeyUsage } from './key-usage.ts'

/** The outcome of a check, for counters, the console and service tokens. Other callers learn only 401 or 403. */
export type Verdict = { outcome: (typeof NOT_KEYS)[number]; key: null } | { outcome: KeyOutcome; key: KeyRecord }

export type KeyVerifier = ReturnType<typeof createKeyVerifier>

/** Checks secrets of API keys, and writes usage in batches, until stopped. */
export function createKeyVerifier({ db, log }: Pick<Deps, 'db' | 'log'>, changes: Changes) {
  const cache = createKeyCache()
  const usage = createKeyUsage(db, log)
  const totals = { live: newCounts(KEY_OUTCOMES), test: newCounts(KEY_OUTCOMES), unknown: newCounts(NOT_KEYS) }
  let hits = 0
  let misses = 0
  changes.tell(cache)
  const load = createKeyLoader({ db, cache, changes })

  /** Reads the cache while every change is received. An expired key is left to the database's clock. */
  const cached = (hashOfSecret: string): KeyRecord | undefined => {
    if (!changes.areReceived()) return undefined
    const key = cache.get(hashOfSecret)
    return key?.refusal === null && isExpired(key) ? undefined : key
  }

  /** By the primary's clock. */
  const isExpired = ({ expires_at }: KeyRecord): boolean =>
    expires_at !== null && changes.databaseTime() >= Date.parse(expires_at)

  /** Details by cached key: they are forgotten with the key, when it or its tenant changes. */
  const details = new WeakMap<KeyRecord, KeyDetails>()

  const judge = async (secret = '', origin: string | undefined): Promise<Verdict> => {
    if (secret === '') return { outcome: 'missing', key: null }
    const hashOfSecret = hash('sha256', secret)
    const hit = cached(hashOfSecret)
    if (hit !== undefined) {
      hits += 1
      return { outcome: outcomeOf(hit, origin), key: hit }
    }
    if (!isWellFormedKey(secret)) return { outcome: 'malformed', key: null }
    misses += 1
    const key = await load(hashOfSecret)
    return key === null ? { outcome: 'not_found', key } : { outcome: outcomeOf(key, origin), key }
  }

  return {
    /**
     * Judges the secret of a key and the origin of the request, and counts the outcome. A key that the caller may not
     * know is not found.
     */
    async check(
      secret: string | undefined,
      origin: string | undefined,
      isKnown: (key: KeyRecord) => boolean = () => true,
    ): Promise<Verdict> {
      const judged = await judge(secret, origin)
      const verdict: Verdict = judged.key === null || isKnown(judged.key) ? judged : { outcome: 'not_found', key: null }
      const counted = totals[verdict.key?.environment ?? 'unknown']
      counted.set(verdict.outcome, (counted.get(verdict.outcome) ?? 0) + 1)
      if (verdict.key !== null) usage.count(verdict.key.api_key_id, verdict.outcome, origin)
      return verdict
    },

    /** What a service token learns about a key. Undefined for a key that has just been deleted. */
    async detailsOf(key: KeyRecord): Promise<KeyDetails | undefined> {
      const known = details.get(key) ?? (await detailsOfKey(db, key.api_key_id))
      if (known !== undefined) details.set(key, known)
      return known
    },

    /** Number of checks by environment and outcome since the start. A text that is not a key has no environment. */
    totals: () =>
      Object.entries(totals).flatMap(([environment, counted]) =>
        [...counted].map(([outcome, count]) => ({ labels: { environment, outcome }, count })),
      ),

    /** Figures of the cache and of the unwritten use, for the metrics. */
    figures: () => ({
      hits,
      misses,
      isCacheTrusted: changes.areReceived(),
      heartbeatAge: changes.heartbeatAge(),
      unwritten: usage.unwritten(),
      unwrittenAge: usage.unwrittenAge(),
    }),

    stop: () => usage.stop(),
  }
}

/** Each count begins at 0, so that the first increase is seen as one. */
function newCounts(outcomes: readonly Verdict['outcome'][]): Map<Verdict['outcome'], number> {
  return new Map(outcomes.map((outcome) => [outcome, 0]))
}

/** Checks the origin last, so that an unusable key reveals nothing about origins. */
function outcomeOf({ refusal, allowed_origins }: KeyRecord, origin: string | undefined): KeyOutcome {
  return refusal ?? (isOriginAllowed(allowed_origins, origin) ? 'valid' : 'origin_refused')
}
