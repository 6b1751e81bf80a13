import {
  type UserListQuery,
  bulkUsers,
  createUser,
  deleteUser,
  exportUsers,
  listUsers,
  selectUsers,
  toggleUser,
} from '@switchboard/contract/users'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.ts'
import type { Deps } from '#src/deps.ts'
import { select } from '#src/lists/bulk.service.ts'
import { auditedRows, sendExport } from '#src/lists/export.service.ts'
import { sendList } from '#src/lists/list-reply.ts'
import * as bulk from './bulk-users.service.ts'
import { pageOfUsers, sortedUsers } from './users.queries.ts'
import * as service from './users.service.ts'

export function addUserRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...listUsers,
    handler: (request, reply) =>
      sendList(request, reply, request.query, {
        page: (query) => pageOfUsers(deps.db, query),
        all: (query: UserListQuery) =>
          auditedRows(deps, request, {
            action: exportUsers.schema.operationId,
            query,
            rows: sortedUsers(deps.streamDb, query),
          }),
      }),
  })
  app.route({
    ...exportUsers,
    handler: (request, reply) =>
      sendExport(deps, request, reply, {
        name: 'users',
        action: exportUsers.schema.operationId,
        query: request.query,
        columns: ['id', 'email', 'role', 'tenant_id', 'tenant_name', 'is_active', 'created_at'],
        rows: sortedUsers(deps.streamDb, request.query),
      }),
  })
  app.route({
    ...selectUsers,
    handler: ({ query }) => select(deps, sortedUsers(deps.streamDb, query)),
  })
  app.route({
    ...bulkUsers,
    handler: (request) => bulk.bulkUsers(deps, actorOf(request), request.query, request.body),
  })
  app.route({
    ...createUser,
    handler: async (request, reply) =>
      reply.code(201).send(await service.createUser(deps, actorOf(request), request.body)),
  })
  app.route({
    ...toggleUser,
    handler: (request) => service.toggleUser(deps, actorOf(request), request.params.id, request.body),
  })
  app.route({
    ...deleteUser,
    handler: async (request, reply) => {
      await service.deleteUser(deps, actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
}
