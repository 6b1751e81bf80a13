import * as contract from '@switchboard/contract/signals/webhooks'
import * as deliveryContract from '@switchboard/contract/signals/webhook-deliveries'
import { versionOf } from '@switchboard/contract/wire/if-match'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { listHandler } from '#src/lists/list-handlers.ts'
import * as deliveries from './webhook-deliveries.service.ts'
import { listedDeliveries } from './webhook-deliveries.queries.ts'
import { createWebhook, deleteWebhook, listWebhooks, rotateWebhookSecret, updateWebhook } from './webhooks.service.ts'

export function addWebhookRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.listWebhooks, handler: () => listWebhooks(deps) })
  app.route({
    ...contract.createWebhook,
    handler: async (request, reply) => reply.code(201).send(await createWebhook(deps, actorOf(request), request.body)),
  })
  app.route({
    ...contract.updateWebhook,
    handler: async (request, reply) => {
      const target = { id: request.params.id, expectedVersion: versionOf(request.headers['if-match']) }
      const webhook = await updateWebhook(deps, actorOf(request), target, request.body)
      return reply.header('etag', `"${webhook.version}"`).send(webhook)
    },
  })
  app.route({
    ...contract.rotateWebhookSecret,
    handler: (request) => rotateWebhookSecret(deps, actorOf(request), request.params.id, request.body),
  })
  app.route({
    ...contract.deleteWebhook,
    handler: async (request, reply) => {
      await deleteWebhook(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
  const { webhookDeliveryList } = deliveryContract
  app.route({ ...webhookDeliveryList.list, handler: listHandler(deps, webhookDeliveryList, listedDeliveries) })
  app.route({
    ...deliveryContract.getWebhookDelivery,
    handler: ({ params }) => deliveries.deliveryRecord(deps, params.delivery_id),
  })
  app.route({
    ...deliveryContract.replayWebhookDelivery,
    handler: (request) => deliveries.replayDelivery(deps, actorOf(request), request.params.delivery_id),
  })
  app.route({
    ...deliveryContract.replayWebhook,
    handler: (request) => deliveries.replayWebhook(deps, actorOf(request), request.params.id, request.body),
  })
  app.route({
    ...deliveryContract.testWebhook,
    handler: async (request, reply) =>
      reply.code(201).send(await deliveries.testWebhook(deps, actorOf(request), request.params.id)),
  })
}
