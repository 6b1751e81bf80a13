import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { OperatorCommand } from '@switchboard/contract/wire/command-line'
import { connect } from '@switchboard/database/connection/connect'
import { startEmbeddedPostgres, urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { type Checked, checkVersion } from '@switchboard/database/start/start-checks'
import { StartError } from '@switchboard/database/start/start-error'
import type { Database } from '@switchboard/database/tables'
import { commandHere } from '@switchboard/server/settings/commands'
import { readSettings } from '@switchboard/server/settings/env'
import { AppError } from '@switchboard/server/http/errors'
import type { Kysely } from 'kysely'

/** Ways to run a command: the words after its name, and the effect. */
type Uses = Readonly<Record<string, string>>

/**
 * The options and words after the name of the command. `--help` prints the uses and ends the process. Unknown options end
 * it with exit code 1, and so does `refuse`, for words that make no sense.
 */
export function argumentsOf<const Config extends ParseArgsConfig>(
  command: OperatorCommand,
  uses: Uses,
  config: Config,
) {
  if (process.argv.includes('--help')) {
    console.log(helpOf(command, uses))
    process.exit(0)
  }
  const refuse = (problem = 'These arguments are not understood.'): never =>
    endCommand(new StartError(`${problem}\n\n${helpOf(command, uses)}`))
  try {
    return { ...parseArgs(config), refuse }
  } catch (error) {
    // Node explains the syntax of arguments after the problem.
    const [problem] = error instanceof Error ? error.message.split('. ', 1) : []
    return refuse(problem)
  }
}

function helpOf(command: OperatorCommand, uses: Uses): string {
  const lines = Object.entries(uses).map(([words, effect]) => {
    const typed = commandHere(command, ...words.split(' ').filter((word) => word !== ''))
    return { typed, effect }
  })
  const width = Math.max(...lines.map(({ typed }) => typed.length))
  return lines.map(({ typed, effect }) => `${typed.padEnd(width)}  ${effect}`).join('\n')
}

/**
 * Runs a command on the configured database and exits: the database of a running server, otherwise an embedded
 * PostgreSQL for the time of the command. `prepare` migrates or checks the database first. A failure is one line and
 * exit code 1.
 */
export async function runCommand(
  prepare: (databaseUrl: string) => Promise<void>,
  work: (db: Kysely<Database>, databaseUrl: string) => Promise<void>,
): Promise<never> {
  try {
    const settings = readSettings()
    const { databaseUrl, databaseDirectUrl = databaseUrl, dataDir } = settings
    const isDirect = settings.databaseDirectUrl !== undefined
    const running = databaseDirectUrl ?? urlOfRunning(dataDir)
    const embedded = running === undefined ? await startEmbeddedPostgres({ dataDir, log: console.error }) : undefined
    try {
      if (databaseDirectUrl !== undefined)
        await reach(databaseDirectUrl, isDirect ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL')
      await runOn(running ?? embedded?.url ?? '', prepare, work)
    } finally {
      await embedded?.stop()
    }
    process.exit(process.exitCode)
  } catch (error) {
    return endCommand(error)
  }
}

/** Ends a command after an error: one line, exit code 1. */
export function endCommand(error: unknown): never {
  console.error(lineOf(error))
  process.exit(1)
}

/** Throws a StartError that names the setting if PostgreSQL does not answer. */
async function reach(url: string, variable: Checked['variable']): Promise<void> {
  const db = connect(url, { max: 1, onLost: () => undefined })
  try {
    await checkVersion({ db, url, variable })
  } finally {
    await db.destroy()
  }
}

async function runOn(
  url: string,
  prepare: (databaseUrl: string) => Promise<void>,
  work: (db: Kysely<Database>, databaseUrl: string) => Promise<void>,
): Promise<void> {
  await prepare(url)
  const db = connect(url, { isPatient: true })
  try {
    await work(db, url)
  } finally {
    await db.destroy()
  }
}

/** The message of an expected error; a defect is shown in full. */
function lineOf(error: unknown): unknown {
  // Only errors that PostgreSQL sent have a severity.
  if (error instanceof Error && 'severity' in error) return `PostgreSQL ended the command: ${error.message}.`
  const isExpected =
    error instanceof StartError || error instanceof AppError || (error instanceof Error && 'code' in error)
  return isExpected ? error.message : error
}
