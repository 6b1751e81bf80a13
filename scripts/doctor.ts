import { existsSync } from 'node:fs'
import { startEmbeddedPostgres, urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { StartError } from '@switchboard/database/start/start-error'
import { readSettings, shownSettings, type Settings } from '@switchboard/server/settings/env'
import type { DatabaseUrls } from '@switchboard/server/process/open-database'
import { argumentsOf } from './command.ts'
import { writeBundle } from './doctor/bundle.ts'
import { diagnose } from './doctor/diagnose.ts'
import type { Finding } from './doctor/finding.ts'

// `npm run doctor` checks the installation and prints one line for each check: "ok", "warning" or "failed" with what to
// do. Changes nothing. Exits with 1 if a check failed. `-- --bundle FILE` also writes what support needs, without secrets.

const {
  values: { bundle },
} = argumentsOf(
  'doctor',
  {
    '': 'checks the installation, and says what to do',
    '--bundle FILE': 'also writes what support needs, without secrets',
  },
  { options: { bundle: { type: 'string' } } },
)

const findings: Finding[] = []
try {
  const settings = readSettings()
  const set = shownSettings().flatMap(({ name, source }) => (source === 'default' ? [] : [name]))
  const text = [`${set.join(', ') || 'None'} set.`, ...settings.warnings].join(' ')
  report({ check: 'settings', state: settings.warnings.length === 0 ? 'ok' : 'warning', text })
  const { urls, stop } = await databaseOf(settings)
  try {
    for await (const finding of diagnose(settings, urls)) report(finding)
    if (bundle !== undefined) await writeBundle(bundle, { findings, urls })
  } finally {
    await stop()
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error
  report({ check: findings.length === 0 ? 'settings' : 'database', state: 'failed', text: error.message })
}
process.exit(findings.some(({ state }) => state === 'failed') ? 1 : 0)

/** The database of the settings, or the embedded PostgreSQL, started when no server runs it. Throws a StartError without data. */
async function databaseOf({ databaseUrl, databaseDirectUrl, dataDir }: Settings) {
  if (databaseUrl === undefined && !existsSync(dataDir))
    throw new StartError(`There is no ${dataDir} yet: start Switchboard once, or set DATABASE_URL.`)
  const url = databaseUrl ?? urlOfRunning(dataDir)
  const embedded = url === undefined ? await startEmbeddedPostgres({ dataDir, log: console.error }) : undefined
  const main = url ?? embedded?.url ?? ''
  const urls: DatabaseUrls = { url: main, directUrl: databaseDirectUrl ?? main }
  return { urls, stop: async () => await embedded?.stop() }
}

function report(finding: Finding): void {
  findings.push(finding)
  console.log(`${finding.state.padEnd(7)}  ${finding.check.padEnd(17)}  ${finding.text}`)
}
