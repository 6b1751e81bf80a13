import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from '@switchboard/database/connection/connect'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { urlOfDatabase } from '@switchboard/database/connection/database-url'
import { sql } from 'kysely'

/**
 * Runs `work` with an embedded PostgreSQL in a new folder, and removes both. Without `durable` PostgreSQL fills faster,
 * for benchmarks that only read. `settings` are PostgreSQL's.
 */
export async function withPostgres<Result>(
  work: (url: string, folder: string) => Promise<Result>,
  { durable = true, settings = {} }: { durable?: boolean; settings?: Record<string, string> } = {},
): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchboard-bench-'))
  // The account of PostgreSQL needs access when the benchmark runs as root.
  await chmod(folder, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir: folder, durable, settings, log: () => undefined })
  try {
    return await work(postgres.url, folder)
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Creates an empty database on the server. Returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const server = connect(serverUrl, { max: 1 })
  await sql`create database ${sql.id(name)}`.execute(server)
  await server.destroy()
  return urlOfDatabase(serverUrl, name)
}
