import type { Database } from '@switchboard/database/tables'
import { createApp } from '@switchboard/server/app'
import type { Log } from '@switchboard/server/log'
import type { ZodApp } from '@switchboard/server/zod-app'
import type { Kysely } from 'kysely'

/** All that ai-api needs from outside. */
export type Deps = {
  db: Kysely<Database>
  log: Log
  /** Whose `X-Forwarded-*` headers are believed. */
  trustProxy: false | string[]
}

/** Builds ai-api, ready to listen: the data plane, which assistants and gateways call. */
export async function buildAiApi({ db, log, trustProxy }: Deps): Promise<ZodApp> {
  return await createApp({ title: 'Switchboard AI API', db, log, trustProxy })
}
