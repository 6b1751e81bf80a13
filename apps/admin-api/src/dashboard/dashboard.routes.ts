import * as contract from '@switchboard/contract/dashboard'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import * as service from './dashboard.service.ts'
import { recordsNeedingAttention } from './attention-panel.queries.ts'
import { stateOfFirstSteps } from './first-steps.queries.ts'
import { trendsOf } from './trends.service.ts'

/** `untrustedProxy` returns the last proxy seen by `watchProxies`. */
export function addDashboardRoutes(
  app: ZodApp,
  deps: Deps,
  untrustedProxy: () => contract.UntrustedProxy | null,
): void {
  app.route({ ...contract.getUserAnalytics, handler: () => service.analyticsOfUsers(deps) })
  app.route({ ...contract.getTenantAnalytics, handler: () => service.analyticsOfTenants(deps) })
  app.route({
    ...contract.getAttention,
    handler: async ({ query: { tenant_id } }) => ({
      ...(await recordsNeedingAttention(deps.db, tenant_id)),
      untrusted_proxy: tenant_id === undefined ? untrustedProxy() : null,
    }),
  })
  app.route({ ...contract.getTrends, handler: ({ query }) => trendsOf(deps, query) })
  app.route({
    ...contract.getFirstSteps,
    handler: async () => ({ ...(await stateOfFirstSteps(deps.db)), ai_api_url: deps.aiApi.url }),
  })
}
