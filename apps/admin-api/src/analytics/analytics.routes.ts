import * as calls from '@switchboard/contract/analytics'
import type { ZodApp } from '@switchboard/server/zod-app'
import type { Deps } from '#src/deps.ts'
import * as service from './analytics.service.ts'
import { whatNeedsAttention } from './attention.queries.ts'

export function addAnalyticsRoutes(app: ZodApp, deps: Deps): void {
  app.route({ ...calls.getUserAnalytics, handler: () => service.analyticsOfUsers(deps) })
  app.route({ ...calls.getTenantAnalytics, handler: () => service.analyticsOfTenants(deps) })
  app.route({ ...calls.getAttention, handler: () => whatNeedsAttention(deps.db) })
}
