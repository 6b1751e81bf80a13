import { connect } from '@switchboard/database/connect'
import { startEmbeddedPostgres, urlOfRunning } from '@switchboard/database/embedded/embedded-postgres'
import { migrate } from '@switchboard/database/migrate'
import { StartError } from '@switchboard/database/start-error'
import type { Database } from '@switchboard/database/tables'
import { readSettings } from '@switchboard/server/env'
import { AppError } from '@switchboard/server/errors'
import type { Kysely } from 'kysely'

/**
 * Runs a command on the database of the settings and exits: the one of a running server if there is one, otherwise
 * the embedded one is started for as long as the command takes. A refusal is one line and exit code 1.
 */
export async function runCommand(work: (db: Kysely<Database>) => Promise<void>): Promise<never> {
  try {
    const { databaseUrl, dataDir } = readSettings()
    const running = databaseUrl ?? urlOfRunning(dataDir)
    const embedded = running === undefined ? await startEmbeddedPostgres({ dataDir, log: console.error }) : undefined
    const db = connect(running ?? embedded?.url ?? '')
    try {
      await migrate(db)
      await work(db)
    } finally {
      await db.destroy()
      await embedded?.stop()
    }
    process.exit(process.exitCode)
  } catch (error) {
    console.error(lineOf(error))
    process.exit(1)
  }
}

function lineOf(error: unknown): unknown {
  return error instanceof StartError || error instanceof AppError ? error.message : error
}
