import { listen } from '@switchboard/database/connection/listener'
import { reasonOf } from '@switchboard/database/start/reason'
import { repeatedFailures } from '@switchboard/server/process/repeated-failures'
import type { Deps } from '#src/deps.ts'
import type { KeyRecord } from './key-check.queries.ts'
import type { KeyCache } from './key-cache.ts'

/** Channel on which database triggers announce changes: `key <id>` or `tenant <id>`. */
const CHANNEL = 'api_keys'

/**
 * Maximum age of the latest heartbeat, in milliseconds, for the cache to be trusted. A change must hold within a second.
 */
const TRUSTED_MS = 800

export type KeyChangesDeps = Pick<Deps, 'db' | 'directUrl' | 'log'>
export type KeyChanges = ReturnType<typeof followKeyChanges>

/**
 * Removes a changed or deleted key from the cache of this process, and all keys of a changed or deleted tenant, until
 * stopped. Every process listens on a separate connection.
 */
export function followKeyChanges({ db, directUrl, log }: KeyChangesDeps, cache: KeyCache) {
  // While the connection is lost, every check reads the database.
  const outcomes = repeatedFailures(log, 'receiving changes of API keys')
  const listener = listen(
    { url: directUrl, db, channel: CHANNEL },
    {
      onMessage: (payload) => {
        cache.invalidate(payload.slice(payload.indexOf(' ') + 1))
      },
      onConnect: () => {
        outcomes.worked()
        cache.clear()
      },
      onLost: (error) => outcomes.failed(reasonOf(error)),
    },
  )
  return {
    /** Whether this process receives every change, so that the cache can be trusted. */
    areReceived: () => performance.now() - listener.heardUntil() < TRUSTED_MS,
    /** Age of the latest heartbeat in milliseconds, for the metrics; before the first one, of the process. */
    heartbeatAge: () => performance.now() - listener.lastBeat().at,
    /** Whether the key has expired by the primary's clock. */
    isExpired: ({ expires_at }: Pick<KeyRecord, 'expires_at'>) =>
      expires_at !== null && listener.databaseTime() >= Date.parse(expires_at),
    stop: () => listener.stop(),
  }
}
