import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfDatabase } from '@switchboard/database/connection/database-url'
import type { Database } from '@switchboard/database/tables'

export const TEMPLATE = 'switchboard_template'

export type TestDatabase = { url: string; db: Kysely<Database>; drop: () => Promise<void> }

/** An empty database. With `isOrdinary`, its owner is an ordinary role, as on a managed PostgreSQL. */
export async function createEmptyDatabase(
  serverUrl: string,
  { isOrdinary = false } = {},
): Promise<TestDatabase & AsyncDisposable> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  const server = connect(serverUrl, { max: 1, isPatient: true })
  const url = new URL(urlOfDatabase(serverUrl, name))
  if (isOrdinary) {
    await sql`create role ${sql.id(name)} login password 'ordinary'`.execute(server)
    url.username = name
    url.password = 'ordinary'
  }
  await sql`create database ${sql.id(name)} ${isOrdinary ? sql`owner ${sql.id(name)}` : sql``}`.execute(server)
  const db = connect(url.toString(), { statementTimeoutMs: 60_000, waitMs: 60_000, onLost: () => undefined })
  const drop = async () => {
    await db.destroy()
    await sql`drop database ${sql.id(name)} with (force)`.execute(server)
    if (isOrdinary) await sql`drop role ${sql.id(name)}`.execute(server)
    await server.destroy()
  }
  return { url: url.toString(), db, drop, [Symbol.asyncDispose]: drop }
}

/** A separate migrated database for a test file, cloned from the template. */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Clones of a template wait for each other.
  const server = connect(serverUrl, { max: 1, isPatient: true })
  await sql`create database ${sql.id(name)} template ${sql.id(TEMPLATE)}`.execute(server)
  const url = urlOfDatabase(serverUrl, name)
  // On a busy machine it takes long to fill a large table, and many statements at once wait for a connection. Dropping the
  // database breaks connections that are still closing.
  const db = connect(url, { statementTimeoutMs: 60_000, waitMs: 60_000, onLost: () => undefined })
  return {
    url,
    db,
    drop: async () => {
      await db.destroy()
      await sql`drop database ${sql.id(name)} with (force)`.execute(server)
      await server.destroy()
    },
  }
}
