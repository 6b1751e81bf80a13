import * as contract from '@switchboard/contract/api-keys'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.ts'
import type { Deps } from '#src/deps.ts'
import { bulkHandlers, exportHandler } from '#src/lists/list-handlers.ts'
import { keysOfTenants } from './api-keys.queries.ts'
import * as service from './api-keys.service.ts'
import * as rotation from './rotation.service.ts'

export function addApiKeyRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.listApiKeys, handler: ({ params }) => service.listApiKeys(deps, params.tenant_id) })
  app.route({ ...contract.apiKeyList.export, handler: exportHandler(deps, contract.apiKeyList, keysOfTenants) })
  const bulk = bulkHandlers(deps, contract.apiKeyList, keysOfTenants, service.apiKeyBulk)
  app.route({ ...contract.apiKeyList.ids, handler: bulk.ids })
  app.route({ ...contract.apiKeyList.bulk, handler: bulk.bulk })
  app.route({
    ...contract.createApiKey,
    handler: async (request, reply) =>
      reply.code(201).send(await service.createApiKey(deps, actorOf(request), request.body)),
  })
  app.route({
    ...contract.deleteApiKey,
    handler: async (request, reply) => {
      await service.deleteApiKey(deps, actorOf(request), request.params.key_id)
      return reply.code(204).send(null)
    },
  })
  app.route({
    ...contract.toggleApiKey,
    handler: (request) => service.toggleApiKey(deps, actorOf(request), request.params.key_id, request.body?.is_active),
  })
  app.route({
    ...contract.rotateApiKey,
    handler: async (request, reply) =>
      reply.code(201).send(await rotation.rotateApiKey(deps, actorOf(request), request.params.key_id, request.body)),
  })
  app.route({
    ...contract.endGrace,
    handler: (request) => rotation.endGrace(deps, actorOf(request), request.params.key_id),
  })
  app.route({
    ...contract.extendGrace,
    handler: (request) =>
      rotation.extendGrace(deps, actorOf(request), request.params.key_id, request.body.grace_seconds),
  })
  app.route({ ...contract.getApiKeyUsage, handler: ({ params }) => service.usageOfApiKey(deps, params.key_id) })
}
