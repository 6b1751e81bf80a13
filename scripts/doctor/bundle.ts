import { writeFile } from 'node:fs/promises'
import os from 'node:os'
import { connect } from '@switchboard/database/connection/connect'
import { fileError } from '@switchboard/database/start/start-error'
import type { DatabaseUrls } from '@switchboard/server/process/open-database'
import { shownSettings } from '@switchboard/server/settings/env'
import { VERSION } from '@switchboard/server/settings/version'
import { databaseReport } from './database-report.queries.ts'
import type { Finding } from './finding.ts'

/**
 * Writes a JSON file for support: findings, settings without secrets and without addresses of people, the machine, and
 * sizes and settings of the database, but none of its rows. Throws a StartError when the file exists or cannot be
 * written.
 */
export async function writeBundle(
  file: string,
  { findings, urls }: { findings: readonly Finding[]; urls: DatabaseUrls },
): Promise<void> {
  const isReached = findings.some(({ check, state }) => check === 'database' && state === 'ok')
  const bundle = {
    made_at: new Date().toISOString(),
    release: VERSION,
    findings,
    settings: setSettings(),
    machine: {
      node: process.version,
      system: `${os.type()} ${os.release()} ${process.arch}`,
      processors: os.availableParallelism(),
      memory_bytes: os.totalmem(),
      free_memory_bytes: os.freemem(),
    },
    database: isReached ? await reportOf(urls.directUrl) : null,
  }
  try {
    await writeFile(file, `${JSON.stringify(bundle, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw fileError(error, file)
  }
  console.log(`\nThe support bundle is ${file}. Read it before you send it.`)
}

/** Settings with addresses of people. */
const PERSONAL = new Set(['SUPER_ADMIN_EMAIL', 'MAIL_FROM', 'SECURITY_CONTACT'])

/** The values of the given settings by name, without secrets and without addresses of people. */
function setSettings(): Record<string, string> {
  const set = shownSettings().filter(({ source }) => source !== 'default')
  return Object.fromEntries(
    set.map(({ name, value, source }) => {
      const shown = PERSONAL.has(name) ? null : value
      return [name, shown ?? (source === 'file' ? '(set by a file)' : '(set)')]
    }),
  )
}

async function reportOf(url: string) {
  const db = connect(url, { max: 1, isPatient: true, onLost: () => undefined })
  try {
    return await databaseReport(db)
  } finally {
    await db.destroy()
  }
}
