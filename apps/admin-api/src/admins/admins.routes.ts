import {
  type AdminListQuery,
  bulkAdmins,
  createAdmin,
  deleteAdmin,
  exportAdmins,
  listAdmins,
  selectAdmins,
  toggleAdmin,
} from '@switchboard/contract/tenant-admins'
import type { ZodApp } from '@switchboard/server/zod-app'
import { actorOf } from '#src/auth/authenticate.ts'
import type { Deps } from '#src/deps.ts'
import { select } from '#src/lists/bulk.service.ts'
import { auditedRows, sendExport } from '#src/lists/export.service.ts'
import { sendList } from '#src/lists/list-reply.ts'
import * as bulk from './bulk-admins.service.ts'
import { pageOfAdmins, sortedAdmins } from './admins.queries.ts'
import * as service from './admins.service.ts'

export function addAdminRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...listAdmins,
    handler: (request, reply) =>
      sendList(request, reply, request.query, {
        page: (query) => pageOfAdmins(deps.db, query),
        all: (query: AdminListQuery) =>
          auditedRows(deps, request, {
            action: exportAdmins.schema.operationId,
            query,
            rows: sortedAdmins(deps.streamDb, query),
          }),
      }),
  })
  app.route({
    ...exportAdmins,
    handler: (request, reply) =>
      sendExport(deps, request, reply, {
        name: 'users',
        action: exportAdmins.schema.operationId,
        query: request.query,
        columns: ['id', 'email', 'role', 'tenant_id', 'tenant_name', 'is_active', 'created_at'],
        rows: sortedAdmins(deps.streamDb, request.query),
      }),
  })
  app.route({
    ...selectAdmins,
    handler: ({ query }) => select(deps, sortedAdmins(deps.streamDb, query)),
  })
  app.route({
    ...bulkAdmins,
    handler: (request) => bulk.bulkAdmins(deps, actorOf(request), request.query, request.body),
  })
  app.route({
    ...createAdmin,
    handler: async (request, reply) =>
      reply.code(201).send(await service.createAdmin(deps, actorOf(request), request.body)),
  })
  app.route({
    ...toggleAdmin,
    handler: (request) => service.toggleAdmin(deps, actorOf(request), request.params.id, request.body),
  })
  app.route({
    ...deleteAdmin,
    handler: async (request, reply) => {
      await service.deleteAdmin(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
}
