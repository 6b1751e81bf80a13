import type { Kysely } from 'kysely'
import { connect } from '#src/connection/connect.ts'
import { parseDatabaseUrl } from '#src/connection/database-url.ts'
import { pause } from '#src/pause.ts'
import { reasonOf } from '#src/start/reason.ts'
import type { Database } from '#src/tables.ts'
import { type Position, primaryPosition, standbyPosition } from './positions.ts'

/** Interval of the questions for the position of each server, in milliseconds. */
const INTERVAL_MS = 100
/** The longest wait for the answer of a replica, in milliseconds. */
const ANSWER_MS = 400
/** A replica is used while it has all changes up to this many milliseconds ago. */
export const STALE_MS = 500
/** A late replica is used again when it is so close to the primary, in milliseconds. */
const CLOSE_MS = STALE_MS / 2

/** Reason of an unread address of the primary. This is no fault. */
export const IS_PRIMARY = 'it is the primary'

export type Replicas = ReturnType<typeof createReplicas>

type Options = {
  /** Addresses of standbys, one server each. */
  urls: readonly string[]
  /** Leads to the primary itself. */
  primaryUrl: string
  /** Most connections for reads of each replica. */
  max: number
  /** Whether the addresses may lead through transaction poolers. */
  isPooled: boolean
  /** Called when a replica is used, with `null`, and with the reason when it is not used any more. */
  onChange: (place: string, reason: string | null) => void
}

type Replica = {
  place: string
  /** For reads. */
  db: Kysely<Database>
  /** A separate connection, so that slow reads do not delay the position. */
  watcher: Kysely<Database>
  isUsed: boolean
  /** The address leads to the primary now. */
  isPrimary: boolean
  position: number
  /** The monotonic time (`performance.now()`) up to which the replica has all changes. */
  freshUntil: number
  /** Fails the reads in progress. */
  reads: Set<(reason: Error) => void>
  /** At the latest call of `onChange`. */
  reported: 'used' | 'primary' | 'left' | undefined
}

/**
 * Reads on standbys that are at most `STALE_MS` behind. A replica that fails, hangs or is late is left at once, and used
 * again when it is close to the primary. Without addresses every read is left to the primary.
 */
export function createReplicas(options: Options | null) {
  const stopping = new AbortController()
  const primary =
    options === null
      ? undefined
      : connect(options.primaryUrl, { max: 1, statementTimeoutMs: ANSWER_MS, onLost: () => undefined })
  const replicas = (options?.urls ?? []).map((url) => openReplica(url, options))
  /** Positions of the primary within the last `STALE_MS`, oldest first. */
  const positions: (Position & { at: number })[] = []
  let primaryProblem = 'it has not answered yet'
  const reads = { replica: 0, primary: 0, failed: 0 }
  const startedAt = performance.now()
  let turn = 0

  const watchPrimary = async (db: Kysely<Database>) => {
    while (!stopping.signal.aborted) {
      const at = performance.now()
      // Without new positions all replicas become stale, and are left for this reason.
      try {
        const position = await primaryPosition(db)
        if (position === null) primaryProblem = 'synchronous_commit is off'
        else positions.push({ ...position, at })
      } catch (error) {
        primaryProblem = reasonOf(error)
      }
      while (positions[0] !== undefined && performance.now() - positions[0].at > STALE_MS) positions.shift()
      await pause(INTERVAL_MS, stopping.signal)
    }
  }

  const leave = (replica: Replica, reason: string) => {
    replica.isUsed = false
    const state = reason === IS_PRIMARY ? 'primary' : 'left'
    if (stopping.signal.aborted || replica.reported === state) return
    replica.reported = state
    options?.onChange(replica.place, reason)
  }

  const fail = (replica: Replica, reason: string) => {
    replica.isPrimary = reason === IS_PRIMARY
    replica.freshUntil = Number.NEGATIVE_INFINITY
    leave(replica, reason)
    for (const failRead of replica.reads) failRead(new Error(reason))
  }

  const watchReplica = async (replica: Replica) => {
    while (!stopping.signal.aborted) {
      const timer = setTimeout(fail, ANSWER_MS, replica, 'it does not answer')
      try {
        const { lineage, bytes } = await standbyPosition(replica.watcher)
        const last = positions.at(-1)
        if (bytes === null && last !== undefined)
          throw new Error(lineage === last.lineage ? IS_PRIMARY : 'it is no standby')
        // Without a position of the primary, the former answer about a primary counts.
        replica.isPrimary &&= bytes === null
        const position = bytes ?? 0
        const reached = positions.findLast((each) => each.lineage === lineage && each.bytes <= position)
        replica.position = position
        replica.freshUntil = reached?.at ?? Number.NEGATIVE_INFINITY
        const age = performance.now() - replica.freshUntil
        if (age < CLOSE_MS) take(replica)
        else if (replica.isPrimary) replica.isUsed = false
        else if (age > (replica.isUsed ? STALE_MS : CLOSE_MS) && performance.now() - startedAt > STALE_MS)
          leave(replica, lateness(positions, lineage, primaryProblem))
      } catch (error) {
        fail(replica, reasonOf(error))
      } finally {
        clearTimeout(timer)
      }
      await pause(INTERVAL_MS, stopping.signal)
    }
  }

  const take = (replica: Replica) => {
    replica.isUsed = true
    if (replica.reported === 'used') return
    replica.reported = 'used'
    options?.onChange(replica.place, null)
  }

  const pick = (after: number): Replica | undefined => {
    const now = performance.now()
    const usable = replicas.filter(
      ({ isUsed, freshUntil, position }) => isUsed && now - freshUntil < STALE_MS && position >= after,
    )
    turn += 1
    return usable[turn % usable.length]
  }

  const watching = [...(primary === undefined ? [] : [watchPrimary(primary)]), ...replicas.map(watchReplica)]

  return {
    /** Whether there are any. */
    areConfigured: replicas.length > 0,

    /**
     * Reads on a replica whose position is at least `after`, by default on any. `asOf` is the monotonic time
     * (`performance.now()`) up to which it has all changes. Undefined without such a replica, when it fails, and when
     * `work` finds nothing: then ask the primary.
     */
    async read<Result>(
      work: (db: Kysely<Database>, asOf: number) => Promise<Result>,
      after = 0,
    ): Promise<Result | undefined> {
      const replica = pick(after)
      if (replica === undefined) {
        reads.primary += 1
        return undefined
      }
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      replica.reads.add(reject)
      try {
        work(replica.db, replica.freshUntil).then(resolve, reject)
        const result = await promise
        reads.replica += 1
        return result
      } catch {
        reads.failed += 1
        // The primary repeats the read, and has the same error unless it is one of the replica.
        return undefined
      } finally {
        replica.reads.delete(reject)
      }
    },

    /** Number of reads so far: on a replica, left to the primary, and failed on a replica. */
    reads: () => ({ ...reads }),

    /** The replicas now, without an address of the primary. `lagMs` is the longest delay of each. */
    states: () => {
      const now = performance.now()
      const standbys = replicas.filter(({ isPrimary }) => !isPrimary)
      return standbys.map(({ place, isUsed, freshUntil }) => ({ place, isUsed, lagMs: now - freshUntil }))
    },

    /** The pools of the reads by their names in the metrics. */
    pools: () => Object.fromEntries(replicas.map(({ place, db }) => [`replica ${place}`, db])),

    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(watching)
      await Promise.all(replicas.flatMap(({ db, watcher }) => [db.destroy(), watcher.destroy()]))
      await primary?.destroy()
    },
  }
}

function openReplica(url: string, options: Options | null): Replica {
  const { max = 1, isPooled = false } = options ?? {}
  const onLost = () => undefined
  return {
    place: parseDatabaseUrl(url).place,
    db: connect(url, { max, isPooled, onLost }),
    watcher: connect(url, { max: 1, statementTimeoutMs: ANSWER_MS, isPooled, onLost }),
    isUsed: false,
    isPrimary: false,
    position: 0,
    freshUntil: Number.NEGATIVE_INFINITY,
    reads: new Set(),
    reported: undefined,
  }
}

function lateness(positions: readonly Position[], lineage: string, primaryProblem: string): string {
  const last = positions.at(-1)
  if (last === undefined) return `the position of the primary is not known: ${primaryProblem}`
  return last.lineage === lineage ? 'it is too far behind the primary' : 'it follows another primary'
}
