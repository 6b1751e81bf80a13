import { connect } from '@switchboard/database/connection/connect'
import { parseDatabaseUrl } from '@switchboard/database/connection/database-url'
import { type Position, primaryPosition, standbyPosition } from '@switchboard/database/replicas/positions'
import { IS_PRIMARY, STALE_MS } from '@switchboard/database/replicas/replicas'
import { reasonOf } from '@switchboard/database/start/reason'
import type { Database } from '@switchboard/database/tables'
import { pause } from '@switchboard/database/pause'
import type { Kysely } from 'kysely'
import { ok, warning } from './finding.ts'

/** Whether each replica has soon replayed what the primary has now. */
export async function checkReplicas(direct: Kysely<Database>, urls: readonly string[]) {
  const position = await primaryPosition(direct)
  if (position === null) return warning('synchronous_commit is off for this role, so no replica is used. Set it to on.')
  await pause(STALE_MS, new AbortController().signal)
  const problems = await Promise.all(urls.map((url) => problemOf(url, position)))
  const standbys = problems.filter((problem) => problem !== IS_PRIMARY)
  const faults = standbys.filter((problem) => problem !== null)
  if (faults.length > 0) return warning(`The primary answers instead of ${faults.join(' ')}`)
  return standbys.length === 0
    ? warning('DATABASE_READ_URLS only leads to the primary, so no replica is used.')
    : ok(`All replicas of DATABASE_READ_URLS (${standbys.length}) are close to the primary.`)
}

/** Why the server at `url` is not read; null for a server close to the primary. */
async function problemOf(url: string, position: Position): Promise<string | null> {
  const db = connect(url, { max: 1, isPatient: true, onLost: () => undefined })
  try {
    const { lineage, bytes } = await standbyPosition(db)
    if (bytes === null && lineage === position.lineage) return IS_PRIMARY
    if (bytes === null) throw new Error('it is no standby')
    if (lineage !== position.lineage) throw new Error('it follows another primary')
    if (bytes < position.bytes) throw new Error(`it is more than ${STALE_MS} ms behind`)
    return null
  } catch (error) {
    return `${parseDatabaseUrl(url).place}: ${reasonOf(error)}.`
  } finally {
    await db.destroy()
  }
}
