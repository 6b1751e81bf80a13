import { healthz, readyz } from '@switchboard/contract/health'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { VERSION } from './version.ts'
import type { ZodApp } from './zod-app.ts'

/** `/healthz` answers while the process runs; `/readyz` only while the database does and the server is not draining. */
export function addHealthRoutes(app: ZodApp, db: Kysely<Database>): void {
  app.route({ ...healthz, handler: async () => ({ status: 'ok' as const, version: VERSION }) })
  app.route({
    ...readyz,
    handler: async (request, reply) => {
      if (app.isDraining) return reply.code(503).send({ status: 'unavailable' })
      try {
        await sql`select 1`.execute(db)
        return { status: 'ok' as const }
      } catch (error) {
        request.log.warn({ err: error }, 'the database cannot be reached')
        return reply.code(503).send({ status: 'unavailable' })
      }
    },
  })
}
