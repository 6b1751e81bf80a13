import * as contract from '@switchboard/contract/single-sign-on'
import { unauthorized } from '@switchboard/server/http/errors'
import { withWait } from '@switchboard/database/connection/connect'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { SIGN_IN_WAIT_MS } from '@switchboard/sign-in/sign-in-queue'
import { countFailure } from '@switchboard/sign-in/sign-in-metrics'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '#src/deps.ts'
import { browserCookie } from './browser-cookie.ts'
import { endSingleSignOn } from './logout.service.ts'
import { failureUrl, finishSingleSignOn, openSingleSignOn, startSingleSignOn } from './single-sign-on.service.ts'

export function addSingleSignOnRoutes(app: ZodApp, deps: Deps): void {
  const patientDb = withWait(deps.db, SIGN_IN_WAIT_MS)
  const patient = (): Deps => ({ ...deps, db: patientDb })
  const cookie = browserCookie(deps.publicUrl)
  const opened = {
    // A HEAD request must not use up an answer of the identity provider.
    exposeHeadRoute: false,
    /**
     * Browsers navigate to these addresses, so errors before the handler, such as bad input or another host, also lead
     * to /login.
     */
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      request.log.warn({ err: error }, 'a single sign-on was refused')
      return reply.redirect(`${deps.publicUrl ?? ''}${failureUrl('unavailable', null)}`, 302)
    },
  }

  app.route({
    ...contract.startSingleSignOn,
    ...opened,
    handler: async (request, reply) => {
      const given = { redirect: request.query.redirect, browser: cookie.read(request) }
      const { location, browser } = await startSingleSignOn(patient(), callerOf(request), given)
      return reply.headers(cookie.set(browser)).redirect(location, 302)
    },
  })
  app.route({
    ...contract.finishSingleSignOn,
    ...opened,
    handler: async (request, reply) => {
      const search = request.url.slice(request.url.indexOf('?'))
      const answer = { search, state: request.query.state, browser: cookie.read(request) }
      return reply.redirect(await finishSingleSignOn(patient(), callerOf(request), answer), 302)
    },
  })
  app.route({
    ...contract.openSingleSignOn,
    handler: async (request, reply) => {
      const browser = cookie.read(request)
      if (browser === null) throw unauthorized(contract.SSO_CODE_REFUSED)
      const session = await countFailure(deps.signInFailures, 'single_sign_on', () =>
        openSingleSignOn(patient(), callerOf(request), { ...request.body, browser }),
      )
      return reply.headers(cookie.clear()).send(session)
    },
  })
  // A separate scope with a form parser, because identity providers send a form.
  void app.register(async (scope: ZodApp) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => ({
        logout_token: new URLSearchParams(body).get('logout_token'),
      }),
    )
    scope.route({
      ...contract.backChannelLogout,
      handler: async (request, reply) => {
        await endSingleSignOn(deps, callerOf(request), request.body.logout_token)
        return reply.send(null)
      },
    })
  })
}

function callerOf(request: FastifyRequest) {
  return { address: request.ip, request_id: request.id, user_agent: request.headers['user-agent'] ?? null }
}
