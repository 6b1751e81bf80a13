import { healthz, readyz } from '@switchboard/contract/wire/health'
import { IS_READ_ONLY } from '@switchboard/database/pool'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { VERSION } from '#src/settings/version.ts'
import type { ZodApp } from '#src/http/zod-app.ts'

/**
 * `/healthz` answers while the process runs; `/readyz` only while the database takes changes, `isSetUp` holds and the
 * server is not draining.
 */
export function addHealthRoutes(app: ZodApp, db: Kysely<Database>, isSetUp: () => Promise<boolean>): void {
  app.route({ ...healthz, handler: async () => ({ status: 'ok' as const, version: VERSION }) })
  app.route({
    ...readyz,
    handler: async (request, reply) => {
      if (app.isDraining) return reply.code(503).send({ status: 'unavailable' })
      try {
        const { rows } = await sql<{ is_read_only: boolean }>`select ${sql.raw(IS_READ_ONLY)} as is_read_only`.execute(
          db,
        )
        if (rows[0]?.is_read_only !== false) throw new Error('The database is read-only.')
        if (await isSetUp()) return { status: 'ok' as const }
        return reply.code(503).send({ status: 'unavailable' })
      } catch (error) {
        request.log.warn({ err: error }, 'the database cannot be used')
        return reply.code(503).send({ status: 'unavailable' })
      }
    },
  })
}
