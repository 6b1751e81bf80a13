import type { reviewList } from '@switchboard/contract/reviews/review-list'
import type { taskList } from '@switchboard/contract/tasks'
import type { userList } from '@switchboard/contract/users'
import { createRoute } from '@tanstack/react-router'
import type { KeySearch } from '#src/api-keys/api-keys.api.ts'
import type { ActivitySearch } from '#src/activity/activity.api.ts'
import { lazyPage } from '#src/lib/lazy.tsx'
import { lazyCode } from '#src/lib/load-code.ts'
import { type SearchOf, searchOf, textsOf } from '#src/lists/list-search.ts'
import { signedIn } from './signed-in-route.ts'

// Loaded with the first route that needs it.
const tenantOverviewApi = lazyCode(() => import('#src/tenants/page/tenant-overview.api.ts'))
const tenantPageApi = lazyCode(() => import('#src/tenants/page/tenant-page.api.ts'))
const usersApi = lazyCode(() => import('#src/users/users.api.ts'))
const apiKeysApi = lazyCode(() => import('#src/api-keys/api-keys.api.ts'))
const tasksApi = lazyCode(() => import('#src/tasks/tasks.api.ts'))
const reviewsApi = lazyCode(() => import('#src/reviews/tenant-reviews.api.ts'))
const activityApi = lazyCode(() => import('#src/activity/activity.api.ts'))
const promptsApi = lazyCode(() => import('#src/prompts/prompts.api.ts'))

const tenant = createRoute({
  getParentRoute: () => signedIn,
  path: '/tenants/$tenantId',
  loader: async ({ params }) => (await tenantPageApi()).prefetchTenant(params.tenantId),
  component: lazyPage(() => import('#src/tenants/page/tenant-page.tsx').then((code) => code.TenantPage)),
})

// The tabs of a tenant: each list is the list of all tenants, filtered by the tenant in the path.

const tenantOverview = createRoute({
  getParentRoute: () => tenant,
  path: '/',
  loader: async ({ params }) => (await tenantOverviewApi()).prefetchOverview(params.tenantId),
  component: lazyPage(() => import('#src/tenants/page/tenant-overview.tsx').then((code) => code.TenantOverview)),
})

const tenantUsers = createRoute({
  getParentRoute: () => tenant,
  path: '/users',
  validateSearch: (search: Record<string, unknown>): OfTenant<SearchOf<typeof userList>> => textsOfTab(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await usersApi()).userPages.prefetch({ ...deps, tenant_id: params.tenantId }),
  component: lazyPage(() => import('#src/users/users-page.tsx').then((code) => code.UsersPage)),
})

const tenantKeys = createRoute({
  getParentRoute: () => tenant,
  path: '/keys',
  validateSearch: (search: Record<string, unknown>): OfTenant<KeySearch> => textsOfTab(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await apiKeysApi()).prefetchKeys({ ...deps, tenant_id: params.tenantId }),
  component: lazyPage(() => import('#src/api-keys/api-keys-page.tsx').then((code) => code.ApiKeysPage)),
})

const tenantTasks = createRoute({
  getParentRoute: () => tenant,
  path: '/tasks',
  validateSearch: (search: Record<string, unknown>): OfTenant<SearchOf<typeof taskList>> => textsOfTab(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await tasksApi()).taskPages.prefetch({ ...deps, tenant_id: params.tenantId }),
  component: lazyPage(() => import('#src/tasks/tasks-page.tsx').then((code) => code.TasksPage)),
})

const tenantReviews = createRoute({
  getParentRoute: () => tenant,
  path: '/reviews',
  validateSearch: (search: Record<string, unknown>): OfTenant<SearchOf<typeof reviewList>> => textsOfTab(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await reviewsApi()).prefetchReviews(deps, params.tenantId),
  component: lazyPage(() => import('#src/reviews/tenant-reviews-page.tsx').then((code) => code.TenantReviewsPage)),
})

const tenantPrompt = createRoute({
  getParentRoute: () => tenant,
  path: '/prompt',
  validateSearch: searchOf('limit', 'cursor'),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await promptsApi()).prefetchTenantPrompt(deps, params.tenantId),
  component: lazyPage(() => import('#src/prompts/tenant-prompt-page.tsx').then((code) => code.TenantPromptPage)),
})

const compareAddenda = createRoute({
  getParentRoute: () => tenant,
  path: '/prompt/compare',
  validateSearch: searchOf('from', 'to', 'view'),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await promptsApi()).prefetchComparison(deps, params.tenantId),
  component: lazyPage(() => import('#src/prompts/versions/compare-page.tsx').then((code) => code.ComparePage)),
})

const tenantActivity = createRoute({
  getParentRoute: () => tenant,
  path: '/activity',
  validateSearch: (search: Record<string, unknown>): OfTenant<ActivitySearch> => textsOfTab(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await activityApi()).prefetchActivity({ ...deps, tenant_id: params.tenantId }),
  component: lazyPage(() => import('#src/activity/activity-page.tsx').then((code) => code.ActivityPage)),
})

type OfTenant<Search> = Omit<Search, 'tenant_id' | 'view'>

/** The search parameters of a tab. The tenant in the path is the only one. */
function textsOfTab(search: Record<string, unknown>): Record<string, string> {
  const { tenant_id: _tenant, view: _view, ...texts } = textsOf(search)
  return texts
}

/** The page of a tenant and its tabs. */
export const tenantRoutes = tenant.addChildren([
  tenantOverview,
  tenantUsers,
  tenantKeys,
  tenantTasks,
  tenantReviews,
  tenantPrompt,
  compareAddenda,
  tenantActivity,
])
