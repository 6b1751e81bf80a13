import * as contract from '@switchboard/contract/activity'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import { listHandlers } from '#src/lists/list-handlers.ts'
import { exportedAuditRows, matchingAuditRows, pageOfAudit } from './activity.queries.ts'
import * as service from './activity.service.ts'

export function addActivityRoutes(app: ZodApp, deps: Deps): void {
  const list = listHandlers(deps, contract.activityList, {
    page: pageOfAudit,
    matching: matchingAuditRows,
    exported: exportedAuditRows,
    key: 'seq',
  })
  const preHandler = async () => await service.sealEntries(deps)
  app.route({ ...contract.activityList.list, preHandler, handler: list.list })
  app.route({ ...contract.activityList.export, preHandler, handler: list.export })
  app.route({ ...contract.getAuditRecord, handler: (request) => service.auditRecordOf(deps, request.params.seq) })
  app.route({ ...contract.checkAuditChain, handler: (request) => service.checkChain(deps, request.query) })
  app.route({ ...contract.listAuditArchives, handler: () => service.archivesOf(deps) })
}
