import * as calls from '@switchboard/contract/dashboard'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Deps } from '#src/deps.ts'
import * as service from './dashboard.service.ts'
import { recordsInNeed } from './attention-panel.queries.ts'

/** `untrustedProxy` returns the last proxy seen by `watchProxies`. */
export function addAnalyticsRoutes(app: ZodApp, deps: Deps, untrustedProxy: () => calls.UntrustedProxy | null): void {
  app.route({ ...calls.getUserAnalytics, handler: () => service.analyticsOfUsers(deps) })
  app.route({ ...calls.getTenantAnalytics, handler: () => service.analyticsOfTenants(deps) })
  app.route({
    ...calls.getAttention,
    handler: async () => ({ ...(await recordsInNeed(deps.db)), untrusted_proxy: untrustedProxy() }),
  })
}
