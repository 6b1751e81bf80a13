import { connect } from '@switchboard/database/connection/connect'
import { parseDatabaseUrl } from '@switchboard/database/connection/database-url'
import { primaryPosition, standbyPosition } from '@switchboard/database/replicas/positions'
import { STALE_MS } from '@switchboard/database/replicas/replicas'
import { reasonOf } from '@switchboard/database/start/start-checks'
import type { Database } from '@switchboard/database/tables'
import { pause } from '@switchboard/database/pause'
import type { Kysely } from 'kysely'
import { ok, warning } from './finding.ts'

/** Whether each replica has soon replayed what the primary has now. */
export async function checkReplicas(direct: Kysely<Database>, urls: readonly string[]) {
  const position = await primaryPosition(direct)
  if (position === null) return warning('synchronous_commit is off for this role, so no replica is used. Set it to on.')
  await pause(STALE_MS, new AbortController().signal)
  const problems = await Promise.all(
    urls.map(async (url) => {
      const db = connect(url, { max: 1, onLost: () => undefined })
      try {
        const { lineage, bytes } = await standbyPosition(db)
        if (lineage !== position.lineage) throw new Error('it follows another primary')
        if (bytes < position.bytes) throw new Error(`it is more than ${STALE_MS} ms behind`)
        return []
      } catch (error) {
        return [`${parseDatabaseUrl(url).place}: ${reasonOf(error)}.`]
      } finally {
        await db.destroy()
      }
    }),
  )
  return problems.flat().length === 0
    ? ok(`All of DATABASE_READ_URLS (${urls.length}) are close to the primary.`)
    : warning(`The primary answers instead of ${problems.flat().join(' ')}`)
}
