import { type AuditListQuery, checkAuditChain, getAuditRecord, listAudit } from '@switchboard/contract/audit'
import type { ZodApp } from '@switchboard/server/zod-app'
import type { Deps } from '#src/deps.ts'
import { sendList } from '#src/lists/list-reply.ts'
import { allAuditRows, pageOfAudit } from './audit.queries.ts'
import * as service from './audit.service.ts'

export function addAuditRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...listAudit,
    handler: (request, reply) =>
      sendList(request, reply, request.query, {
        page: (query) => pageOfAudit(deps.db, query),
        all: (query: AuditListQuery) => allAuditRows(deps.streamDb, query),
      }),
  })
  app.route({ ...getAuditRecord, handler: (request) => service.auditRecordOf(deps, request.params.seq) })
  app.route({ ...checkAuditChain, handler: (request) => service.checkChain(deps, request.query) })
}
