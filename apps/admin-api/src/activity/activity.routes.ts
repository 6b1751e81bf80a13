import {
  type AuditListQuery,
  checkAuditChain,
  exportAudit,
  getAuditRecord,
  listAudit,
} from '@switchboard/contract/activity'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import { auditedRows, sendExport } from '#src/lists/export.service.ts'
import { sendList } from '#src/lists/list-reply.ts'
import { exportedAuditRows, pageOfAudit, sortedAuditRows } from './activity.queries.ts'
import * as service from './activity.service.ts'

export function addAuditRoutes(app: ZodApp, deps: Deps): void {
  app.route({
    ...listAudit,
    handler: (request, reply) =>
      sendList(request, reply, request.query, {
        page: (query) => pageOfAudit(deps.db, query),
        all: (query: AuditListQuery) =>
          auditedRows(deps, request, {
            action: exportAudit.schema.operationId,
            query,
            rows: sortedAuditRows(deps.streamDb, query),
          }),
      }),
  })
  app.route({
    ...exportAudit,
    handler: (request, reply) =>
      sendExport(deps, request, reply, {
        name: 'activity',
        action: exportAudit.schema.operationId,
        query: request.query,
        columns: [
          'seq',
          'at',
          'actor_id',
          'actor_email',
          'action',
          'outcome',
          'reason',
          'target_type',
          'target_id',
          'target_name',
          'tenant_id',
          'tenant_name',
          'changes',
          'address',
          'request_id',
          'hash',
        ],
        rows: exportedAuditRows(deps.streamDb, request.query),
      }),
  })
  app.route({ ...getAuditRecord, handler: (request) => service.auditRecordOf(deps, request.params.seq) })
  app.route({ ...checkAuditChain, handler: (request) => service.checkChain(deps, request.query) })
}
