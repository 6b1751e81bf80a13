import * as contract from '@switchboard/contract/auth'
import { logout, me } from '@switchboard/contract/auth/session'
import { checkLinkPassword, checkPassword } from '@switchboard/contract/auth/passwords'
import { withWait } from '@switchboard/database/connection/connect'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { SIGN_IN_WAIT_MS } from '@switchboard/sign-in/sign-in-queue'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '#src/deps.ts'
import { judgePassword } from '@switchboard/sign-in/new-password'
import { countFailure } from '@switchboard/sign-in/sign-in-metrics'
import { judgeLinkPassword } from '#src/auth/links/links.service.ts'
import { askPasskey } from '#src/auth/second-factors/challenges.service.ts'
import { siteOf } from '#src/auth/second-factors/passkeys.service.ts'
import { signIn, type SignInCaller, signOut } from './auth.service.ts'
import { actorOf, signedInActorOf } from './authenticate.service.ts'
import { answerChallenge } from './challenge.service.ts'

export function addAuthRoutes(app: ZodApp, deps: Deps): void {
  const { signInFailures } = deps
  const patientDb = withWait(deps.db, SIGN_IN_WAIT_MS)
  const patient = (): Deps => ({ ...deps, db: patientDb })
  app.route({
    ...contract.login,
    handler: (request) =>
      countFailure(signInFailures, 'wrong_password', () => signIn(patient(), callerOf(deps, request), request.body)),
  })
  app.route({
    ...contract.answerChallenge,
    handler: (request) =>
      countFailure(signInFailures, 'second_factor', () =>
        answerChallenge(patient(), callerOf(deps, request), request.body),
      ),
  })
  app.route({ ...contract.beginPasskeySignIn, handler: (request) => askPasskey(patient(), callerOf(deps, request)) })
  app.route({ ...me, handler: async (request) => actorOf(request).admin })
  app.route({
    ...logout,
    handler: async (request, reply) => {
      await signOut(deps, signedInActorOf(request))
      return reply.code(204).send(null)
    },
  })
  app.route({
    ...checkPassword,
    handler: (request) => judgePassword(deps, request.body.password, request.body),
  })
  app.route({ ...checkLinkPassword, handler: (request) => judgeLinkPassword(deps, request.body) })
}

function callerOf({ publicUrl }: Deps, request: FastifyRequest): SignInCaller {
  return {
    address: request.ip,
    request_id: request.id,
    user_agent: request.headers['user-agent'] ?? null,
    site: siteOf(publicUrl, request),
  }
}
