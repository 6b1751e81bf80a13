import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { connect } from '@switchboard/database/connection/connect'
import type { Database } from '@switchboard/database/tables'

export const TEMPLATE = 'switchboard_template'

/** The URL of another database on the same server. */
export function urlOfDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.toString()
}

export type TestDatabase = { url: string; db: Kysely<Database>; drop: () => Promise<void> }

/** A separate migrated database for a test file, cloned from the template. */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Clones of a template wait for each other.
  const server = connect(serverUrl, { max: 1, isPatient: true })
  await sql`create database ${sql.id(name)} template ${sql.id(TEMPLATE)}`.execute(server)
  const url = urlOfDatabase(serverUrl, name)
  // Filling a large table takes long on a busy machine. Dropping the database breaks connections that are still closing.
  const db = connect(url, { statementTimeoutMs: 60_000, onLost: () => undefined })
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
