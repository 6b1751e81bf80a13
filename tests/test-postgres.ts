import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { connect } from '@switchboard/database/connection/connect'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { migrate } from '@switchboard/database/migrate'
import { urlOfDatabase } from '@switchboard/database/connection/database-url'
import { TEMPLATE } from '@switchboard/testing/test-database'
import { dataFolder } from './server-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** Vitest's global setup: a PostgreSQL for the whole run, with a migrated template that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = dataFolder()
  const postgres = await startEmbeddedPostgres({
    dataDir,
    durable: false,
    log: () => undefined,
    // For the servers of all test files that run at once.
    settings: { max_connections: '200' },
  })

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
