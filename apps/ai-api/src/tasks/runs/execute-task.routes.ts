import {
  executeTask,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '@switchboard/contract/runs'
import { AppError } from '@switchboard/server/http/errors'
import { jsonReader } from '@switchboard/server/http/input'
import { isSigned } from '@switchboard/server/webhooks/webhook-signature'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { FastifyRequest } from 'fastify'
import * as service from './execute-task.service.ts'

/** Maximum size of a webhook's body, in bytes. */
const BODY_MAX = 4_096

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the signature of the webhook is valid. */
    isSigned: boolean
  }
}

export function addWebhookRoutes(app: ZodApp, deps: service.WebhookDeps, secrets: readonly string[]): void {
  // A scope with its own parser: the signature covers the raw body.
  void app.register(async (scope: ZodApp) => addExecuteTask(scope, deps, secrets))
}

function addExecuteTask(app: ZodApp, deps: service.WebhookDeps, secrets: readonly string[]): void {
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())
  const readJson = jsonReader(app)
  app.decorateRequest('isSigned', false)
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    request.isSigned = isSignedRequest(secrets, request, body)
    if (request.isSigned) readJson(request, body, done)
    else done(refused())
  })
  app.route({
    ...executeTask,
    bodyLimit: BODY_MAX,
    onRequest: async ({ headers }) => {
      if (headers[WEBHOOK_SIGNATURE_HEADER] === undefined) throw refused()
    },
    // A request without a body never reaches the parser with the signature check.
    preValidation: async (request) => {
      if (!request.isSigned) throw refused()
    },
    handler: (request) => {
      const { body, headers } = request
      request.causedBy = body.actor?.request_id ?? undefined
      const id = headers[WEBHOOK_ID_HEADER]
      const signedAt = new Date(1_000 * Number(headers[WEBHOOK_TIMESTAMP_HEADER]))
      return service.executeTask(deps, { id, signedAt, body }, stopping.signal)
    },
  })
}

function isSignedRequest(secrets: readonly string[], { headers }: FastifyRequest, body: Buffer): boolean {
  const [id, timestamp, signature] = [WEBHOOK_ID_HEADER, WEBHOOK_TIMESTAMP_HEADER, WEBHOOK_SIGNATURE_HEADER].map(
    (name) => [headers[name] ?? ''].flat().join(', '),
  )
  return isSigned(secrets, { id: id ?? '', timestamp: timestamp ?? '', body }, signature ?? '')
}

function refused(): AppError {
  return new AppError(401, 'Not authenticated')
}
