import { isDeepStrictEqual } from 'node:util'
import { isOriginAllowed } from '@switchboard/contract/api-keys/allowed-origins'
import { isDatabaseAway } from '@switchboard/server/http/errors'
import type { Log } from '@switchboard/server/process/log'
import type { KeyRecord } from './key-check.queries.ts'
import type { KeyCache } from './key-cache.ts'
import type { followKeyChanges } from './key-changes.ts'
import { ageOf, ageOfFile, type KnownMoment, type StaleOptions, writeSnapshot } from './key-snapshot.ts'

type StaleDeps = StaleOptions & {
  cache: KeyCache
  changes: ReturnType<typeof followKeyChanges>
  load: (hash: string) => Promise<KeyRecord | null>
  log: Log
}

/** A key of the database; or with the age of the knowledge in seconds, an accepted key of the cache. */
export type LoadedKey = { key: KeyRecord | null } | { key: KeyRecord; staleSeconds: number }

const TICK_MS = 250
/** Without an answer for this time and without heartbeats, the database counts as away. */
const ANSWER_MS = 1_000
const SAVE_EVERY_MS = 60_000

/**
 * Accepts keys known good while no database answers, for a limited time. As soon as a database answers, its rows count
 * again. A process that has loaded a changed row since the last heartbeat does not know the key any more.
 */
export function createStaleKeys({ seconds, snapshotFile, snapshot, cache, changes, load, log }: StaleDeps) {
  let latest: KnownMoment | null = snapshot?.knownUpTo ?? null
  for (const key of snapshot?.keys ?? []) cache.add(key)
  let outage: { since: number; accepted: number } | null = null
  let declared = Promise.withResolvers<void>()
  let acceptedTotal = 0
  let askedAt = Number.NEGATIVE_INFINITY
  let saved = { knownUpTo: latest, at: performance.now() }
  /** The file may have a changed key. */
  let isFileOutdated = false
  let saving = Promise.resolve()

  /** The moment of the latest heartbeat, of this process or of the snapshot. */
  const knownUpTo = (): KnownMoment | null => {
    const { at: monotonic, wall, database } = changes.lastBeat()
    if (monotonic > Math.max(0, latest?.monotonic ?? 0)) latest = { monotonic, wall, database }
    return latest
  }

  /** The age of the knowledge in milliseconds; null when keys are not accepted any more. */
  const usableAge = (): number | null => {
    const moment = knownUpTo()
    const age = moment === null ? Infinity : ageOf(moment)
    return age <= seconds * 1_000 ? age : null
  }

  const begin = (): void => {
    const age = usableAge()
    if (outage !== null || age === null || changes.areReceived()) return
    outage = { since: performance.now(), accepted: 0 }
    declared.resolve()
    log.warn(
      { known_seconds_ago: secondsOf(age), stale_seconds: seconds },
      'no database answers; API keys known good are accepted',
    )
    save()
  }

  const end = (reason: string): void => {
    if (outage === null) return
    const { since, accepted } = outage
    outage = null
    declared = Promise.withResolvers()
    log.warn({ accepted, after_seconds: secondsOf(performance.now() - since) }, reason)
  }

  /** Loads a key. After a second failed query the database counts as away, because one connection may break at any time. */
  const ask = async (hash: string): Promise<{ key: KeyRecord | null }> => {
    askedAt = performance.now()
    try {
      const key = await load(hash).catch((error: unknown) => {
        if (outage === null && isDatabaseAway(error)) return load(hash)
        throw error
      })
      const known = cache.get(hash)
      if (known !== undefined && !isDeepStrictEqual(known, key)) {
        cache.remove(hash)
        isFileOutdated = true
      }
      end('a database answers again; stale API keys are not accepted any more')
      return { key }
    } catch (error) {
      if (isDatabaseAway(error)) begin()
      else end('a database answers again, with an error')
      throw error
    }
  }

  const probe = async (): Promise<void> => {
    const hash = cache.latest()
    if (hash === undefined) return
    const timer = setTimeout(begin, ANSWER_MS)
    await ask(hash).catch((error: unknown) => log.debug({ err: error }, 'a question for an API key found no database'))
    clearTimeout(timer)
  }

  /** The cached key, if it was good at the last moment known and its time is not over. */
  const goodKey = (hash: string, origin: string | undefined): KeyRecord | undefined => {
    const [key, age] = [cache.get(hash), usableAge()]
    if (key === undefined || key.refusal !== null || latest === null || age === null) return undefined
    const isExpired = key.expires_at !== null && latest.database + age >= Date.parse(key.expires_at)
    return isExpired || !isOriginAllowed(key.allowed_origins, origin) ? undefined : key
  }

  const acceptedKey = (hash: string, origin: string | undefined): LoadedKey | undefined => {
    if (outage === null) return undefined
    const [key, age] = [goodKey(hash, origin), usableAge()]
    if (key === undefined || age === null) return undefined
    outage.accepted += 1
    acceptedTotal += 1
    return { key, staleSeconds: secondsOf(age) }
  }

  /** Whether the cache has been filled for less than the time between two snapshots. */
  const isYoung = (): boolean => performance.now() - changes.connection().since < SAVE_EVERY_MS

  /** Whether a recent file has more keys than a young cache, and no key changed since. */
  const isFileBetter = (file: string): boolean => {
    if (!isYoung() || changes.connection().hasChanges || ageOfFile(file) > seconds * 1_000) return false
    return cache.all().every(({ refusal }) => refusal === null)
  }

  /** Writes the keys known good, unless they are written already. */
  const save = (): void => {
    const now = knownUpTo()
    if (snapshotFile === null || now === null) return
    if (!isFileOutdated && (now === saved.knownUpTo || cache.latest() === undefined || isFileBetter(snapshotFile.file)))
      return
    saved = { knownUpTo: now, at: performance.now() }
    isFileOutdated = false
    saving = saving
      .then(() => writeSnapshot(snapshotFile, now, cache.all()))
      .catch((error: unknown) => log.warn({ err: error }, 'the snapshot of API keys could not be written'))
  }

  const tick = (): void => {
    const now = performance.now()
    const age = usableAge()
    if (changes.areReceived()) {
      end('changes of API keys are received again; stale API keys are not accepted any more')
      if (now - saved.at >= SAVE_EVERY_MS && !isYoung()) save()
    } else if (age === null) end('SERVE_STALE_SECONDS have passed; no API key is accepted until a database answers')
    else if (now - askedAt >= (outage === null ? TICK_MS : ANSWER_MS)) void probe()
  }
  const timer = setInterval(tick, TICK_MS)

  return {
    /**
     * Loads a key that the cache cannot be trusted for. While no database answers, returns the key as it was last known
     * if it is good, and otherwise throws the error of the database.
     */
    async load(hash: string, origin: string | undefined): Promise<LoadedKey> {
      const accepted = acceptedKey(hash, origin)
      if (accepted !== undefined) return accepted
      const loading = ask(hash)
      if (changes.areReceived() || goodKey(hash, origin) === undefined) return await loading
      try {
        const loaded = await Promise.race([loading, declared.promise])
        if (loaded !== undefined) return loaded
      } catch (error) {
        if (outage === null) throw error
      }
      return acceptedKey(hash, origin) ?? (await loading)
    },

    /** Whether no database answers and known keys are accepted. */
    async isServing(): Promise<boolean> {
      if (outage === null && !changes.areReceived()) await Promise.race([probe(), declared.promise])
      return outage !== null && usableAge() !== null
    },

    /** Accepted stale checks since the start, and the age of the knowledge in milliseconds while they are accepted. */
    figures: () => ({ accepted: acceptedTotal, age: outage === null ? 0 : (usableAge() ?? 0) }),

    async stop(): Promise<void> {
      clearInterval(timer)
      save()
      await saving
    },
  }
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1_000)
}
