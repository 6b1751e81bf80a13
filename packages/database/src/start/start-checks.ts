import { type Kysely, sql } from 'kysely'
import { parseDatabaseUrl } from '#src/connection/database-url.ts'
import { NotificationLostError } from '#src/connection/notifications.ts'
import { listen } from '#src/connection/listener.ts'
import { connectionFault } from './connection-fault.ts'
import { StartError } from './start-error.ts'
import type { Database } from '#src/tables.ts'

// Each check reads a single property of a database before any change, and throws a StartError of one line.

/** The oldest PostgreSQL that the migrations are tested on. */
const OLDEST = 15

/**
 * How long an announcement may take to arrive, in milliseconds. A later one means that a pooler is in between. A busy
 * PostgreSQL takes seconds.
 */
const ARRIVAL_MS = 10_000
/** How long the whole check may take, including its connections, in milliseconds. */
const PROOF_MS = 30_000

/** A connection to check, and the setting with its address. */
export type Checked = { db: Kysely<Database>; url: string; variable: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' }

/** Refuses an unreachable database, and a PostgreSQL older than `OLDEST`. */
export async function checkVersion({ db, url, variable }: Checked): Promise<void> {
  const version = await serverVersion(db).catch((error: unknown) => {
    if (variable === 'DATABASE_URL' && isRefusedByPooler(error)) throw poolerError()
    throw connectionFault(error, { url, variable })
  })
  if (version < OLDEST)
    throw new StartError(`The database ${placeOf(url)} is PostgreSQL ${version}; ${OLDEST} or later is needed.`)
}

/**
 * Refuses a transaction pooler in place of PostgreSQL: announcements over `main` have to arrive at a connection of
 * `direct`.
 */
export async function checkNotifications(main: Checked, direct: Checked): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let lastError: unknown = new ProofTimeoutError()
  const listener = listen(
    { url: direct.url, db: main.db, channel: 'start', answerMs: ARRIVAL_MS, arrivalMs: ARRIVAL_MS },
    {
      onMessage: () => {},
      onConnect: resolve,
      onLost: (error) => {
        lastError = error
        if (error instanceof NotificationLostError) reject(error)
      },
    },
  )
  const timeout = setTimeout(() => reject(lastError), PROOF_MS)
  try {
    await promise
  } catch (error) {
    if (!(error instanceof NotificationLostError)) throw error
    if (direct.variable === 'DATABASE_URL') throw poolerError()
    throw new StartError(
      'DATABASE_DIRECT_URL must lead to the database of DATABASE_URL, and to PostgreSQL itself instead of a transaction pooler.',
      { cause: error },
    )
  } finally {
    clearTimeout(timeout)
    await listener.stop()
  }
}

/** A connection is open, but an announcement does not arrive. Has the code of a failed connection. */
class ProofTimeoutError extends Error {
  readonly code = '08006'
  constructor() {
    super('it does not answer')
  }
}

/** PgBouncer's error for an unsupported session setting. */
function isRefusedByPooler(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('unsupported startup parameter')
}

/**
 * Has no cause, because the error code of a refused parameter is that of a lost connection, and a start would retry it
 * in vain.
 */
function poolerError(): StartError {
  return new StartError(
    'DATABASE_URL leads through a transaction pooler. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
  )
}

async function serverVersion(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
  return Math.floor(Number(rows[0]?.version) / 10_000)
}

/** Where a database is, for people: host, port and name, without user and password. */
export function placeOf(url: string): string {
  return parseDatabaseUrl(url).place
}
