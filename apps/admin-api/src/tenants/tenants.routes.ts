import { versionOf } from '@switchboard/contract/wire/if-match'
import {
  bulkTenants,
  createTenant,
  deleteTenant,
  exportTenants,
  listTenants,
  selectTenants,
  type TenantListQuery,
  updateTenant,
} from '@switchboard/contract/tenants'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.ts'
import type { Deps } from '#src/deps.ts'
import { select } from '#src/lists/bulk.service.ts'
import { auditedRows, sendExport } from '#src/lists/export.service.ts'
import { sendList } from '#src/lists/list-reply.ts'
import * as bulk from './bulk-tenants.service.ts'
import { pageOfTenants, sortedTenants, TENANT_COLUMNS } from './tenants.queries.ts'
import * as service from './tenants.service.ts'

export function addTenantRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...listTenants,
    handler: (request, reply) =>
      sendList(request, reply, request.query, {
        page: (query) => pageOfTenants(deps.db, query),
        all: (query: TenantListQuery) =>
          auditedRows(deps, request, {
            action: exportTenants.schema.operationId,
            query,
            rows: sortedTenants(deps.streamDb, query),
          }),
      }),
  })
  app.route({
    ...exportTenants,
    handler: (request, reply) =>
      sendExport(deps, request, reply, {
        name: 'tenants',
        action: exportTenants.schema.operationId,
        query: request.query,
        columns: TENANT_COLUMNS,
        rows: sortedTenants(deps.streamDb, request.query),
      }),
  })
  app.route({
    ...selectTenants,
    handler: ({ query }) => select(deps, sortedTenants(deps.streamDb, query)),
  })
  app.route({
    ...bulkTenants,
    handler: (request) => bulk.bulkTenants(deps, actorOf(request), request.query, request.body),
  })
  app.route({
    ...createTenant,
    handler: async (request, reply) =>
      reply.code(201).send(await service.createTenant(deps, actorOf(request), request.body)),
  })
  app.route({
    ...updateTenant,
    handler: async (request, reply) => {
      const target = { id: request.params.id, expectedVersion: versionOf(request.headers['if-match']) }
      const tenant = await service.updateTenant(deps, actorOf(request), target, request.body)
      return reply.header('etag', `"${tenant.version}"`).send(tenant)
    },
  })
  app.route({
    ...deleteTenant,
    handler: async (request, reply) => {
      await service.deleteTenant(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
}
