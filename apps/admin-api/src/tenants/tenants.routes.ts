import { versionOf } from '@switchboard/contract/wire/if-match'
import * as contract from '@switchboard/contract/tenants'
import { importTenants as importEndpoint } from '@switchboard/contract/tenants/tenant-import'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { bulkHandlers, exportHandler, listHandler } from '#src/lists/list-handlers.ts'
import { importTenants } from './import-tenants.service.ts'
import { countStatusEffects, listedTenants, tenantTags } from './tenants.queries.ts'
import { deleteTenant, purgeTenant, restoreTenant } from './deleted-tenants.service.ts'
import * as service from './tenants.service.ts'

export function addTenantRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.tenantList.list, handler: listHandler(deps, contract.tenantList, listedTenants) })
  app.route({ ...contract.tenantList.export, handler: exportHandler(deps, contract.tenantList, listedTenants) })
  const bulk = bulkHandlers(deps, contract.tenantList, listedTenants, service.tenantBulk)
  app.route({ ...contract.tenantList.ids, handler: bulk.ids })
  app.route({ ...contract.tenantList.bulk, handler: bulk.bulk })
  app.route({ ...contract.listTenantTags, handler: async () => ({ tags: await tenantTags(deps.db) }) })
  app.route({
    ...contract.getTenant,
    handler: async (request, reply) => {
      const tenant = await service.tenantOf(deps, request.params.id)
      return reply.header('etag', `"${tenant.version}"`).send(tenant)
    },
  })
  app.route({
    ...contract.createTenant,
    handler: async (request, reply) =>
      reply.code(201).send(await service.createTenant(deps, actorOf(request), request.body)),
  })
  app.route({
    ...importEndpoint,
    handler: (request) => importTenants(deps, actorOf(request), request.body),
  })
  app.route({
    ...contract.updateTenant,
    handler: async (request, reply) => {
      const target = { id: request.params.id, expectedVersion: versionOf(request.headers['if-match']) }
      const tenant = await service.updateTenant(deps, actorOf(request), target, request.body)
      return reply.header('etag', `"${tenant.version}"`).send(tenant)
    },
  })
  app.route({
    ...contract.previewTenantStatus,
    handler: (request) => countStatusEffects(deps.db, request.body),
  })
  app.route({
    ...contract.deleteTenant,
    handler: async (request, reply) => {
      await deleteTenant(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
  app.route({
    ...contract.restoreTenant,
    handler: (request) => restoreTenant(deps, actorOf(request), request.params.id),
  })
  app.route({
    ...contract.purgeTenant,
    handler: async (request, reply) => {
      await purgeTenant(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
}
