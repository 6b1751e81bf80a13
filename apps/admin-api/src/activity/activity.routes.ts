import * as contract from '@switchboard/contract/activity'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import { exportHandler, listHandler } from '#src/lists/list-handlers.ts'
import { exportedAuditRows, listedAuditRows } from './activity.queries.ts'
import * as service from './activity.service.ts'

export function addActivityRoutes(app: ZodApp, deps: Deps): void {
  const preHandler = async () => await service.sealEntries(deps)
  app.route({
    ...contract.activityList.list,
    preHandler,
    handler: listHandler(deps, contract.activityList, listedAuditRows),
  })
  app.route({
    ...contract.activityList.export,
    preHandler,
    handler: exportHandler(deps, contract.activityList, exportedAuditRows),
  })
  app.route({ ...contract.getAuditRecord, handler: (request) => service.auditRecordOf(deps, request.params.seq) })
  app.route({ ...contract.checkAuditChain, handler: (request) => service.checkChain(deps, request.query) })
}
