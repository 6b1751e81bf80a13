import { healthz, readyz } from '@switchboard/contract/wire/health'
import { readState } from '@switchboard/database/installation'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import type { Log } from './log.ts'
import { repeatedFailures } from './repeated-failures.ts'
import { VERSION } from '#src/settings/version.ts'
import type { ZodApp } from '#src/http/zod-app.ts'

type HealthDeps = {
  db: Kysely<Database>
  isSetUp: () => Promise<boolean>
  isDraining: () => boolean
  log: Log
}

/**
 * `/healthz` answers while the process runs. `/readyz` answers 200 while the database accepts changes, `isSetUp` is true
 * and the server is not draining.
 */
export function addHealthRoutes(app: Pick<ZodApp, 'route'>, deps: HealthDeps): void {
  const { db, isSetUp, isDraining, log } = deps
  const checks = repeatedFailures(log, 'the check of the database for /readyz')
  app.route({ ...healthz, handler: async () => ({ status: 'ok' as const, version: VERSION }) })
  app.route({
    ...readyz,
    handler: async (_request, reply) => {
      if (isDraining()) return reply.code(503).send({ status: 'unavailable' })
      try {
        const { isReadOnly, installation } = await readState(db)
        if (isReadOnly) throw new Error('The database is read-only.')
        checks.worked()
        if (await isSetUp()) return { status: 'ok' as const, installation }
        return reply.code(503).send({ status: 'unavailable' })
      } catch (error) {
        checks.failed(error)
        return reply.code(503).send({ status: 'unavailable' })
      }
    },
  })
}
