import { READ_AFTER_HEADER } from '@switchboard/contract/wire/lists'
import { primaryPosition } from '@switchboard/database/replicas/positions'
import type { Database } from '@switchboard/database/tables'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Deps } from '#src/deps.ts'

/** Digits of a position in the log of PostgreSQL, at most 2^53. */
const POSITION = /^\d{1,16}$/

/**
 * Answers each change with the position of the log that holds it. Callers send the latest one with their reads, so that
 * any admin-api reads where the change is.
 */
export function answerPositions(app: ZodApp, { db, replicas, log }: Pick<Deps, 'db' | 'replicas' | 'log'>): void {
  if (!replicas.areConfigured) return
  app.addHook('onSend', async ({ method, routeOptions: { config } }, reply) => {
    if (method === 'GET' || method === 'HEAD' || config.reads === true || reply.statusCode >= 400) return
    try {
      const position = await primaryPosition(db)
      if (position !== null) reply.header(READ_AFTER_HEADER, position.bytes)
    } catch (error) {
      // The change is committed, so its answer must not fail.
      log.warn({ err: error }, 'a change is answered without Read-After; its next list may be half a second behind')
    }
  })
}

/** Reads on a replica that has the changes of the caller, otherwise on the primary. */
export async function readAfterChanges<Result extends object>(
  { db, replicas }: Pick<Deps, 'db' | 'replicas'>,
  { headers }: FastifyRequest,
  work: (db: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  const given = headers[READ_AFTER_HEADER]
  const after = typeof given === 'string' && POSITION.test(given) ? Number(given) : 0
  return (await replicas.read(work, after)) ?? (await work(db))
}
