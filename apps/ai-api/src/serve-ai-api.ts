import type { Database } from '@switchboard/database/tables'
import type { Settings } from '@switchboard/server/env'
import type { Log } from '@switchboard/server/log'
import { close, type Life, listen } from '@switchboard/server/serve'
import type { Kysely } from 'kysely'
import { buildAiApi } from '#src/app.ts'

/** Serves ai-api over a migrated database until the process ends; returns the address. Throws a StartError. */
export async function serveAiApi(
  life: Life,
  { host, aiPort, trustProxy }: Settings,
  { db, databaseUrl, log }: { db: Kysely<Database>; databaseUrl: string; log: Log },
): Promise<string> {
  const app = await buildAiApi({ db, databaseUrl, log, trustProxy })
  life.onStop(() => close(app))
  return await listen(app, { host, port: aiPort, variable: 'AI_PORT' })
}
