import * as contract from '@switchboard/contract/api-keys'
import { getApiKeyDiagnosis } from '@switchboard/contract/api-keys/key-diagnosis'
import { apiKeyList } from '@switchboard/contract/api-keys/key-list'
import { getTenantCalls } from '@switchboard/contract/api-keys/tenant-calls'
import { summarizeTenantKeys } from '@switchboard/contract/api-keys/tenant-key-summaries'
import { getTenantHealth } from '@switchboard/contract/tenants/tenant-health'
import { versionOf } from '@switchboard/contract/wire/if-match'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { bulkHandlers, exportHandler, listHandler } from '#src/lists/list-handlers.ts'
import { apiKeyBulk } from './api-key-bulk.service.ts'
import { deleteApiKey, restoreApiKey } from './deleted-api-keys.service.ts'
import { diagnoseApiKey } from './key-diagnosis.service.ts'
import { exportedKeys, listedKeys } from './key-list.queries.ts'
import * as service from './api-keys.service.ts'
import * as rotation from './rotation.service.ts'
import { callsOfTenant } from './tenant-calls.service.ts'
import { tenantKeySummaries } from './tenant-key-summaries.queries.ts'
import { healthOfTenant } from './tenant-health.service.ts'

export function addApiKeyRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.listApiKeys, handler: ({ params }) => service.listApiKeys(deps, params.tenant_id) })
  app.route({ ...apiKeyList.list, handler: listHandler(deps, apiKeyList, listedKeys) })
  app.route({ ...apiKeyList.export, handler: exportHandler(deps, apiKeyList, exportedKeys) })
  const bulk = bulkHandlers(deps, apiKeyList, listedKeys, apiKeyBulk)
  app.route({ ...apiKeyList.ids, handler: bulk.ids })
  app.route({ ...apiKeyList.bulk, handler: bulk.bulk })
  app.route({
    ...contract.getApiKey,
    handler: async ({ params }, reply) => {
      const key = await service.apiKeyOf(deps, params.key_id)
      return reply.header('etag', `"${key.version}"`).send(key)
    },
  })
  app.route({
    ...contract.createApiKey,
    handler: async (request, reply) =>
      reply.code(201).send(await service.createApiKey(deps, actorOf(request), request.body)),
  })
  app.route({
    ...contract.updateApiKey,
    handler: async (request, reply) => {
      const target = { id: request.params.key_id, expectedVersion: versionOf(request.headers['if-match']) }
      const key = await service.updateApiKey(deps, actorOf(request), target, request.body)
      return reply.header('etag', `"${key.version}"`).send(key)
    },
  })
  app.route({
    ...contract.deleteApiKey,
    handler: async (request, reply) => {
      await deleteApiKey(deps, actorOf(request), request.params.key_id)
      return reply.code(204).send(null)
    },
  })
  app.route({
    ...contract.restoreApiKey,
    handler: (request) => restoreApiKey(deps, actorOf(request), request.params.key_id),
  })
  app.route({
    ...contract.toggleApiKey,
    handler: (request) => service.toggleApiKey(deps, actorOf(request), request.params.key_id, request.body?.is_active),
  })
  app.route({
    ...contract.rotateApiKey,
    handler: async (request, reply) => {
      const target = { id: request.params.key_id, expectedVersion: versionOf(request.headers['if-match']) }
      return reply.code(201).send(await rotation.rotateApiKey(deps, actorOf(request), target, request.body))
    },
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
  app.route({ ...getApiKeyDiagnosis, handler: ({ params }) => diagnoseApiKey(deps, params.key_id) })
  app.route({ ...getTenantHealth, handler: ({ params }) => healthOfTenant(deps, params.id) })
  app.route({ ...getTenantCalls, handler: ({ params }) => callsOfTenant(deps, params.id) })
  app.route({ ...summarizeTenantKeys, handler: ({ body }) => tenantKeySummaries(deps.db, body.tenant_ids) })
}
