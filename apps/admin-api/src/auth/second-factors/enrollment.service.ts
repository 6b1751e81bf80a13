import { MAKER_WITHOUT_FACTOR, SECOND_FACTOR_REQUIRED } from '@switchboard/contract/second-factors'
import { AppError } from '@switchboard/server/http/errors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { actorIfAny } from '#src/auth/authenticate.service.ts'
import { isSecondFactorRequired, kindsOfUser } from './second-factors.queries.ts'

/**
 * While a second factor is required, refuses the calls of accounts without one, except the calls that enroll it.
 * Refuses all calls of the service tokens that such accounts made.
 */
export function requireEnrollment(app: ZodApp): void {
  app.addHook('onRequest', async (request) => {
    const actor = actorIfAny(request)
    if (actor?.admin.must_enroll !== true) return
    const isToken = actor.session_id === null
    if (!isToken && request.routeOptions.config.unenrolled === true) return
    const sentence = isToken ? MAKER_WITHOUT_FACTOR : SECOND_FACTOR_REQUIRED
    throw new AppError(403, sentence, { code: 'second_factor_required' })
  })
}

/** `must_enroll` of an account at its sign-in. */
export async function enrollmentOf(db: Kysely<Database>, userId: string): Promise<{ must_enroll?: true }> {
  if (!(await isSecondFactorRequired(db)) || (await kindsOfUser(db, userId)).length > 0) return {}
  return { must_enroll: true }
}
