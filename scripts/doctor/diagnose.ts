import { connect } from '@switchboard/database/connection/connect'
import { readState } from '@switchboard/database/installation'
import type { DatabaseUrls } from '@switchboard/server/process/open-database'
import type { Settings } from '@switchboard/server/settings/env'
import { dataChecks, databaseChecks, reachDatabase } from './database-checks.ts'
import { type Finding, findingsOf } from './finding.ts'
import { machineChecks } from './machine-checks.ts'
import { reachabilityChecks } from './reachability-checks.ts'
import { settingsChecks } from './settings-checks.ts'

/**
 * Checks settings, machine, database, data and reachability of an installation, and changes nothing. The checks of the
 * data need a database that can be reached and has all migrations.
 */
export async function* diagnose(settings: Settings, urls: DatabaseUrls): AsyncGenerator<Finding> {
  yield* findingsOf(settingsChecks(settings, urls))
  const onLost = () => undefined
  const options = { max: 1, isPatient: true, onLost }
  const main = connect(urls.url, { ...options, isPooled: urls.url !== urls.directUrl })
  const direct = connect(urls.directUrl, options)
  let installation: string | null = null
  try {
    const connections = { main, direct, urls, settings }
    let isUsable = true
    for (const checks of [reachDatabase(connections), databaseChecks(connections), dataChecks(connections)]) {
      if (!isUsable) break
      for await (const finding of findingsOf(checks)) {
        if (finding.state === 'failed' && ['database', 'migrations'].includes(finding.check)) isUsable = false
        yield finding
      }
    }
    yield* findingsOf(machineChecks(settings))
    if (isUsable) ({ installation } = await readState(direct))
  } finally {
    await Promise.all([main.destroy(), direct.destroy()])
  }
  yield* findingsOf(reachabilityChecks(settings, installation))
}
