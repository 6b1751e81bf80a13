import { activityList, checkAuditChain, getAuditRecord } from '@switchboard/contract/activity'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import { listHandlers } from '#src/lists/list-handlers.ts'
import { exportedAuditRows, matchingAuditRows, pageOfAudit } from './activity.queries.ts'
import * as service from './activity.service.ts'

export function addAuditRoutes(app: ZodApp, deps: Deps): void {
  const list = listHandlers(deps, activityList, {
    page: pageOfAudit,
    matching: matchingAuditRows,
    exported: exportedAuditRows,
    key: 'seq',
  })
  app.route({ ...activityList.list, handler: list.list })
  app.route({ ...activityList.export, handler: list.export })
  app.route({ ...getAuditRecord, handler: (request) => service.auditRecordOf(deps, request.params.seq) })
  app.route({ ...checkAuditChain, handler: (request) => service.checkChain(deps, request.query) })
}
