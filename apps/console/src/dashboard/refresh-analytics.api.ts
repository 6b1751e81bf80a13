import { queryClient } from '#src/lib/query-client.ts'

/**
 * Where the cache keeps what the dashboard shows (spec §7). Apart from its calls, so that a list need not load them.
 */
export const ANALYTICS = { users: ['userAnalytics'], tenants: ['tenantAnalytics'], attention: ['attention'] }

/** Counts again where it is shown, after a change of what is counted. */
export function refreshAnalytics(): void {
  for (const queryKey of Object.values(ANALYTICS)) void queryClient.invalidateQueries({ queryKey })
}
