import type { activityList } from '@switchboard/contract/activity'
import { lazyPage } from '#src/lib/lazy.tsx'
import { lazyCode } from '#src/lib/load-code.ts'
import type { SearchOf } from '#src/lists/list-search.ts'

// The code of the routes, loaded with the first route that needs it.

export const dashboardApi = lazyCode(() => import('#src/dashboard/dashboard.api.ts'))
export const tenantPageApi = lazyCode(() => import('#src/tenants/page/tenant-page.api.ts'))
export const tenantOverviewApi = lazyCode(() => import('#src/tenants/page/tenant-overview.api.ts'))
export const tenantsApi = lazyCode(() => import('#src/tenants/tenants.api.ts'))
export const usersApi = lazyCode(() => import('#src/users/users.api.ts'))
export const apiKeysApi = lazyCode(() => import('#src/api-keys/api-keys.api.ts'))
export const tasksApi = lazyCode(() => import('#src/tasks/tasks.api.ts'))
export const reviewsApi = lazyCode(() => import('#src/reviews/tenant-reviews.api.ts'))
export const runListApi = lazyCode(() => import('#src/tasks/runs/run-list.api.ts'))
export const accountApi = lazyCode(() => import('#src/account/account.api.ts'))
export const teamApi = lazyCode(() => import('#src/team/team.api.ts'))
export const activityApi = lazyCode(() => import('#src/activity/activity.api.ts'))
export const promptsApi = lazyCode(() => import('#src/prompts/prompts.api.ts'))
export const secondFactorsApi = lazyCode(() => import('#src/account/second-factors/second-factors.api.ts'))
export const systemApi = lazyCode(() => import('#src/system/system.api.ts'))
export const tokensApi = lazyCode(() => import('#src/tokens/tokens.api.ts'))

export const usersPage = lazyPage(() => import('#src/users/users-page.tsx').then((code) => code.UsersPage))
export const apiKeysPage = lazyPage(() => import('#src/api-keys/api-keys-page.tsx').then((code) => code.ApiKeysPage))
export const tasksPage = lazyPage(() => import('#src/tasks/tasks-page.tsx').then((code) => code.TasksPage))
export const activityPage = lazyPage(() => import('#src/activity/activity-page.tsx').then((code) => code.ActivityPage))
export const comparePage = lazyPage(() =>
  import('#src/prompts/versions/compare-page.tsx').then((code) => code.ComparePage),
)

/** The view of /keys, the open key, the expanded tenants, and the tenant for which to generate a key. */
export type KeySearch = { [Name in 'view' | 'key' | 'open' | 'generate']?: string | undefined }
export type ActivitySearch = SearchOf<typeof activityList> & { row?: string | undefined }
