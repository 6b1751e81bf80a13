import {
  ACTOR_ADDRESS_HEADER,
  ACTOR_REQUEST_HEADER,
  executeTask,
  WEBHOOK_SECRET_HEADER,
} from '@switchboard/contract/task-runs'
import { AppError } from '@switchboard/server/errors'
import type { ZodApp } from '@switchboard/server/zod-app'
import type { TaskDeps } from './deps.ts'
import * as service from './webhooks.service.ts'

export function addWebhookRoutes(app: ZodApp, deps: TaskDeps, secrets: readonly string[]): void {
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())
  app.route({
    ...executeTask,
    // Before any body is read.
    onRequest: async ({ headers }) => {
      const given = [headers[WEBHOOK_SECRET_HEADER]].flat()[0] ?? ''
      if (!service.isSecret(secrets, given)) throw new AppError(401, 'Not authenticated')
    },
    handler: (request) => {
      const { body, headers } = request
      request.causedBy = headers[ACTOR_REQUEST_HEADER]
      const asker = {
        request_id: headers[ACTOR_REQUEST_HEADER] ?? null,
        address: headers[ACTOR_ADDRESS_HEADER] ?? null,
      }
      return service.executeTask(deps, body, asker, stopping.signal)
    },
  })
}
