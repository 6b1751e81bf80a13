import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import type { Figure } from '#scripts/bench/measure.ts'
import { withPostgres } from '#scripts/bench/with-postgres.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchStreams } from './streams.ts'

/** Changes beside webhooks, the speed of deliveries, and live screens, each with the processes of production. */
export async function benchSignals(): Promise<Figure[]> {
  return await withPostgres(
    async (databaseUrl) => {
      const db = connect(databaseUrl, { max: 20 })
      try {
        await migrate(db)
        return [...(await benchDeliveries(db, databaseUrl)), ...(await benchStreams(db, databaseUrl))]
      } finally {
        await db.destroy()
      }
    },
    { settings: { max_connections: '100' } },
  )
}
