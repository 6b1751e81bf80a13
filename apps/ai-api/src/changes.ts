import { listen } from '@switchboard/database/connection/listener'
import { reasonOf } from '@switchboard/database/start/reason'
import { repeatedFailures } from '@switchboard/server/process/repeated-failures'
import type { Deps } from './deps.ts'
import { createRecentChanges } from './recent-changes.ts'

/** Channel on which database triggers announce changes: `key <id>`, `tenant <id>` or `prompt <type>`. */
const CHANNEL = 'api_keys'

/** Maximum age of the latest heartbeat, in milliseconds, for caches to be trusted. A change must hold within a second. */
const TRUSTED_MS = 800

export type ChangesDeps = Pick<Deps, 'db' | 'directUrl' | 'log'>
export type Changes = ReturnType<typeof followChanges>

/** A cache that forgets what has changed. */
type FollowingCache = {
  /** Something with this id has changed; `kind` is the first word of the announcement. */
  invalidate: (id: string, kind: string) => void
  /** Changes may have been missed. */
  clear: () => void
}

/**
 * Tells the caches of this process which API keys, tenants and prompts have changed or were deleted, until stopped. Every
 * process listens on a separate connection.
 */
export function followChanges({ db, directUrl, log }: ChangesDeps) {
  // While the connection is lost, every call reads the database.
  const outcomes = repeatedFailures(log, 'receiving changes of API keys and prompts')
  const caches: FollowingCache[] = []
  const recent = createRecentChanges()
  const listener = listen(
    { url: directUrl, db, channel: CHANNEL },
    {
      onMessage: (payload) => {
        const [kind = '', id = ''] = payload.split(' ')
        recent.add(id)
        for (const cache of caches) cache.invalidate(id, kind)
      },
      onConnect: () => {
        outcomes.worked()
        recent.miss()
        for (const cache of caches) cache.clear()
      },
      onLost: (error) => outcomes.failed(reasonOf(error)),
    },
  )
  return {
    /** Adds a cache that hears of all further changes. */
    tell: (cache: FollowingCache) => void caches.push(cache),
    /** Whether this process receives every change, so that caches can be trusted. */
    areReceived: () => performance.now() - listener.heardUntil() < TRUSTED_MS,
    /** Whether one of these ids may have changed since a time (`performance.now()`): do not cache a row of that time. */
    isChangedSince: recent.isChangedSince,
    /** Age of the latest heartbeat in milliseconds, for the metrics; before the first one, of the process. */
    heartbeatAge: () => performance.now() - listener.lastBeat().at,
    /** The primary's clock, in milliseconds since the epoch. */
    databaseTime: () => listener.databaseTime(),
    stop: () => listener.stop(),
  }
}
