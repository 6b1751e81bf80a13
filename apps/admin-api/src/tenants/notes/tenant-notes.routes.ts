import * as contract from '@switchboard/contract/tenants/tenant-notes'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import * as service from './tenant-notes.service.ts'

export function addTenantNoteRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...contract.listTenantNotes, handler: ({ params }) => service.tenantNotes(deps, params.id) })
  app.route({
    ...contract.createTenantNote,
    handler: async (request, reply) =>
      reply.code(201).send(await service.createTenantNote(deps, actorOf(request), request.params.id, request.body)),
  })
  app.route({
    ...contract.updateTenantNote,
    handler: (request) => {
      const { id, note_id } = request.params
      return service.updateTenantNote(deps, actorOf(request), { tenant_id: id, id: note_id }, request.body)
    },
  })
  app.route({
    ...contract.deleteTenantNote,
    handler: async (request, reply) => {
      const { id, note_id } = request.params
      await service.deleteTenantNote(deps, actorOf(request), { tenant_id: id, id: note_id })
      return reply.code(204).send(null)
    },
  })
}
