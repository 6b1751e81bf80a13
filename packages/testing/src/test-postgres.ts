import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { connect } from '@switchboard/database/connection/connect'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { migrate } from '@switchboard/database/migrate'
import { urlOfDatabase } from '@switchboard/database/connection/database-url'
import { TEMPLATE } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** Vitest's global setup: a PostgreSQL for the whole run, with a migrated template that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchboard-test-'))
  // The account of PostgreSQL needs access when the tests run as root.
  await chmod(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined })

  const server = connect(postgres.url)
  await sql`create database ${sql.id(TEMPLATE)}`.execute(server)
  await server.destroy()
  const template = connect(urlOfDatabase(postgres.url, TEMPLATE))
  await migrate(template)
  await template.destroy()

  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
