import { hash } from 'node:crypto'
import { isOriginAllowed } from '@switchboard/contract/api-keys/allowed-origins'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { isWellFormedKey } from '@switchboard/contract/api-keys/key-format'
import { listen } from '@switchboard/database/listener'
import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/process/log'
import type { Kysely } from 'kysely'
import { createKeyIndex } from './key-index.ts'
import { createKeyLookups } from './key-lookups.ts'
import { createKeyUse } from './key-use.ts'
import { createKnownRequests } from './known-requests.ts'
import type { KnownKey } from './api-keys.queries.ts'

/** Where the triggers of the database announce what has changed: `key <id>` or `tenant <id>`. */
const CHANNEL = 'api_keys'

/** How a check ended. The caller learns less (reference 4.4). */
export type Verdict =
  | { outcome: 'missing' | 'malformed' | 'not_found'; key: null }
  | { outcome: KeyOutcome; key: KnownKey }

export type KeyVerifier = ReturnType<typeof createKeyVerifier>

type VerifierDeps = {
  db: Kysely<Database>
  /** Database URL without a pooler, for the connection that listens for changes. */
  directUrl: string
  log: Log
}

/** Checks secrets. Holds a connection that listens for changes and writes its counts in batches until it is stopped. */
export function createKeyVerifier({ db, directUrl, log }: VerifierDeps) {
  const requests = createKnownRequests()
  const index = createKeyIndex(requests)
  const use = createKeyUse(db, log, requests)
  const listener = listen(
    { url: directUrl, db, channel: CHANNEL },
    {
      onMessage: (payload) => index.forget(payload.slice(payload.indexOf(' ') + 1)),
      onConnect: () => index.clear(),
      onLost: (error) => log.warn({ err: error }, 'changes of API keys are not heard; asking the database every time'),
    },
  )
  const lookups = createKeyLookups(db, index, listener)
  const endOfTurn = createEndOfTurn()
  const totals = new Map<Verdict['outcome'], number>()

  const addToTotal = (outcome: Verdict['outcome']) => void totals.set(outcome, (totals.get(outcome) ?? 0) + 1)
  const noted = (verdict: Verdict): Verdict => {
    addToTotal(verdict.outcome)
    if (verdict.key !== null) use.count(verdict.key.api_key_id, verdict.outcome)
    return verdict
  }

  return {
    /**
     * Judges a secret from an origin. Also a known key waits for the end of the turn of the event loop, so that answers
     * go out together, which spares a busy server the switching between sockets. What is known was well-formed.
     */
    async check(secret: string | undefined, origin: string | undefined): Promise<Verdict> {
      if (secret === undefined || secret === '') return noted({ outcome: 'missing', key: null })
      const digest = hash('sha256', secret)
      const known = lookups.known(digest)
      if (known !== undefined) await endOfTurn()
      else if (!isWellFormedKey(secret)) return noted({ outcome: 'malformed', key: null })
      const key = known ?? (await lookups.ask(digest))
      return noted(key === null ? { outcome: 'not_found', key } : { outcome: outcomeOf(key, origin), key })
    },

    /** What a request is known by from now on: the digest of its body. Undefined while nothing known may be trusted. */
    digestOf: (body: Buffer): string | undefined => (lookups.isTrusted() ? hash('sha256', body, 'latin1') : undefined),

    /**
     * The answer to a request with this digest, which was just made, if a good key has sent the same before and nothing
     * has changed since. It is a check like any other and counted as one; the caller waits for the end of the turn.
     */
    knownAnswer(digest: string): string | undefined {
      const now = performance.now()
      const answer = requests.use(digest, now, listener.databaseTime(now))
      if (answer !== undefined) addToTotal('valid')
      return answer
    },

    /** Keeps what a good key was answered, unless it has changed since it was looked up. */
    keepAnswer(digest: string, key: KnownKey, answer: string): void {
      if (index.get(key.hash) === key) requests.keep(digest, key, answer)
    },

    endOfTurn,

    /** How many checks ended how since the start. */
    totals: () => totals,
    async stop(): Promise<void> {
      await listener.stop()
      await use.stop()
    },
  }
}

/** A promise for the end of the present turn of the event loop; all who ask in one turn share it. */
function createEndOfTurn(): () => Promise<void> {
  let end: Promise<void> | null = null
  return () =>
    (end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = null
        resolve()
      })
    }))
}

/** The origin is judged last, so that a wrong key is told nothing of it (reference 4.4). */
function outcomeOf({ refusal, allowed_origins }: KnownKey, origin: string | undefined): KeyOutcome {
  return refusal ?? (isOriginAllowed(allowed_origins, origin) ? 'valid' : 'origin_refused')
}
