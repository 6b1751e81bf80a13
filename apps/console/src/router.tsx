import type { activityList } from '@switchboard/contract/activity'
import type { apiKeyList } from '@switchboard/contract/api-keys/key-list'
import type { runList } from '@switchboard/contract/runs/run-list'
import type { taskList } from '@switchboard/contract/tasks'
import type { tenantList } from '@switchboard/contract/tenants'
import type { userList } from '@switchboard/contract/users'
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { CrashPage } from '#src/layout/crash-page.tsx'
import { LoadingPage } from '#src/layout/loading-page.tsx'
import { NotFoundPage } from '#src/layout/not-found-page.tsx'
import { lazyPage } from '#src/lib/lazy.tsx'
import { lazyCode } from '#src/lib/load-code.ts'
import { parseSearch, type SearchOf, searchOf, stringifySearch, textsOf, textsOfTab } from '#src/lists/list-search.ts'
import { currentSession, settledSession } from '#src/lib/session.ts'
import { safeRedirect } from '#src/auth/safe-redirect.ts'
import type { Arrival } from '#src/ui/page/arrival-notice.tsx'

const dashboardApi = lazyCode(() => import('#src/dashboard/dashboard.api.ts'))
const tenantPageApi = lazyCode(() => import('#src/tenant-page/tenant-page.api.ts'))
const tenantOverviewApi = lazyCode(() => import('#src/tenant-page/tenant-overview.api.ts'))
const tenantsApi = lazyCode(() => import('#src/tenants/tenants.api.ts'))
const usersApi = lazyCode(() => import('#src/users/users.api.ts'))
const apiKeysApi = lazyCode(() => import('#src/api-keys/api-keys.api.ts'))
const tasksApi = lazyCode(() => import('#src/tasks/tasks.api.ts'))
const runListApi = lazyCode(() => import('#src/runs/run-list.api.ts'))
const accountApi = lazyCode(() => import('#src/account/account.api.ts'))
const activityApi = lazyCode(() => import('#src/activity/activity.api.ts'))
const promptsApi = lazyCode(() => import('#src/prompts/prompts.api.ts'))

const usersPage = lazyPage(() => import('#src/users/users-page.tsx').then((code) => code.UsersPage))
const apiKeysPage = lazyPage(() => import('#src/api-keys/api-keys-page.tsx').then((code) => code.ApiKeysPage))
const tasksPage = lazyPage(() => import('#src/tasks/tasks-page.tsx').then((code) => code.TasksPage))
const activityPage = lazyPage(() => import('#src/activity/activity-page.tsx').then((code) => code.ActivityPage))

type DashboardSearch = { [Name in 'growth' | 'days' | 'from' | 'to']?: string | undefined }

const root = createRootRoute()

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { redirect?: string | undefined } => searchOf('redirect')(search),
  beforeLoad: async ({ search }) => {
    const session = await settledSession()
    if (session.kind !== 'authenticated') return
    // Validated here, because the router passes any text of the URL.
    const href = session.isOtherAdmin ? undefined : safeRedirect(search.redirect, window.location.origin)
    throw redirect({ href: href ?? '/' })
  },
  pendingMs: 0,
  component: lazyPage(() => import('#src/auth/login-page.tsx').then((code) => code.LoginPage)),
})

/** All routes except /login. They need a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  // While the session loads, the loaders already fetch: a stored token is rarely invalid.
  beforeLoad: ({ location }) => {
    const session = currentSession()
    if (session.kind === 'unreachable') throw session.error
    if (session.kind !== 'unauthenticated') return
    // After a sign-out, the next admin starts at the first page.
    const search = session.reason === 'signed out' ? {} : { redirect: location.href }
    throw redirect({ to: '/login', search })
  },
  pendingMs: 0,
  component: lazyPage(() => import('#src/layout/console-layout.tsx').then((code) => code.ConsoleLayout)),
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: (search: Record<string, unknown>): DashboardSearch => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await dashboardApi()).prefetchDashboard(deps),
  component: lazyPage(() => import('#src/dashboard/dashboard-page.tsx').then((code) => code.DashboardPage)),
})

const tenants = createRoute({
  getParentRoute: () => signedIn,
  path: '/tenants',
  validateSearch: (search: Record<string, unknown>): SearchOf<typeof tenantList> => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await tenantsApi()).tenantPages.prefetch(deps),
  component: lazyPage(() => import('#src/tenants/tenants-page.tsx').then((code) => code.TenantsPage)),
})

const createTenant = createRoute({
  getParentRoute: () => signedIn,
  path: '/tenants/create',
  component: lazyPage(() => import('#src/tenants/create-tenant-page.tsx').then((code) => code.CreateTenantPage)),
})

const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/users',
  validateSearch: (search: Record<string, unknown>): SearchOf<typeof userList> => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await usersApi()).userPages.prefetch(deps),
  component: usersPage,
})

const createUser = createRoute({
  getParentRoute: () => signedIn,
  path: '/users/create',
  validateSearch: searchOf('tenant_id'),
  component: lazyPage(() => import('#src/users/create-user-page.tsx').then((code) => code.CreateUserPage)),
})

/** The view of /keys, the open key, the expanded tenants, and the tenant for which to generate a key. */
type KeySearch = { [Name in 'view' | 'key' | 'open' | 'generate']?: string | undefined }

const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  validateSearch: (search: Record<string, unknown>): SearchOf<typeof apiKeyList> & KeySearch => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await apiKeysApi()).prefetchKeys(deps),
  component: apiKeysPage,
})

const tasks = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks',
  validateSearch: (search: Record<string, unknown>): SearchOf<typeof taskList> => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await tasksApi()).taskPages.prefetch(deps),
  component: tasksPage,
})

const createTask = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/create',
  validateSearch: searchOf('tenant_id'),
  component: lazyPage(() => import('#src/tasks/create-task-page.tsx').then((code) => code.CreateTaskPage)),
})

const runs = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/runs',
  validateSearch: (search: Record<string, unknown>): SearchOf<typeof runList> => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await runListApi()).runPages.prefetch(deps),
  component: lazyPage(() => import('#src/runs/runs-page.tsx').then((code) => code.RunsPage)),
})

const task = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/$taskId',
  validateSearch: searchOf('limit', 'cursor', 'run'),
  loader: async ({ params }) => (await tasksApi()).prefetchTask(params.taskId),
  component: lazyPage(() => import('#src/tasks/task-page.tsx').then((code) => code.TaskPage)),
})

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  loader: async () => (await accountApi()).prefetchAccount(),
  component: lazyPage(() => import('#src/account/account-page.tsx').then((code) => code.AccountPage)),
})

type ActivitySearch = SearchOf<typeof activityList> & { row?: string | undefined }

const activity = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/activity',
  validateSearch: (search: Record<string, unknown>): ActivitySearch => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await activityApi()).prefetchActivity(deps),
  component: activityPage,
})

const prompts = createRoute({
  getParentRoute: () => signedIn,
  path: '/advanced-settings',
  validateSearch: searchOf('limit', 'cursor'),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await promptsApi()).prefetchPrompts(deps),
  component: lazyPage(() => import('#src/prompts/prompts-page.tsx').then((code) => code.PromptsPage)),
})

const comparePrompts = createRoute({
  getParentRoute: () => signedIn,
  path: '/advanced-settings/compare',
  validateSearch: searchOf('from', 'to', 'view'),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await promptsApi()).prefetchComparison(deps),
  component: lazyPage(() => import('#src/prompt-versions/compare-page.tsx').then((code) => code.ComparePage)),
})

const tenant = createRoute({
  getParentRoute: () => signedIn,
  path: '/tenants/$tenantId',
  loader: async ({ params }) => (await tenantPageApi()).prefetchTenant(params.tenantId),
  component: lazyPage(() => import('#src/tenant-page/tenant-page.tsx').then((code) => code.TenantPage)),
})

// The tabs of a tenant: each list is the one of all tenants, and takes the tenant from the path.

const tenantOverview = createRoute({
  getParentRoute: () => tenant,
  path: '/',
  loader: async ({ params }) => (await tenantOverviewApi()).prefetchOverview(params.tenantId),
  component: lazyPage(() => import('#src/tenant-page/tenant-overview.tsx').then((code) => code.TenantOverview)),
})

const tenantUsers = createRoute({
  getParentRoute: () => tenant,
  path: '/users',
  validateSearch: (search: Record<string, unknown>): OfTenant<SearchOf<typeof userList>> => textsOfTab(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await usersApi()).userPages.prefetch({ ...deps, tenant_id: params.tenantId }),
  component: usersPage,
})

const tenantKeys = createRoute({
  getParentRoute: () => tenant,
  path: '/keys',
  validateSearch: (search: Record<string, unknown>): OfTenant<SearchOf<typeof apiKeyList> & KeySearch> =>
    textsOfTab(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await apiKeysApi()).prefetchKeys({ ...deps, tenant_id: params.tenantId }),
  component: apiKeysPage,
})

const tenantTasks = createRoute({
  getParentRoute: () => tenant,
  path: '/tasks',
  validateSearch: (search: Record<string, unknown>): OfTenant<SearchOf<typeof taskList>> => textsOfTab(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await tasksApi()).taskPages.prefetch({ ...deps, tenant_id: params.tenantId }),
  component: tasksPage,
})

const tenantActivity = createRoute({
  getParentRoute: () => tenant,
  path: '/activity',
  validateSearch: (search: Record<string, unknown>): OfTenant<ActivitySearch> => textsOfTab(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await activityApi()).prefetchActivity({ ...deps, tenant_id: params.tenantId }),
  component: activityPage,
})

type OfTenant<Search> = Omit<Search, 'tenant_id' | 'view'>

/** Behind the sign-in, so that signed-out visitors learn nothing about paths. */
const unknownAddress = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFoundPage })

/** All routes: path, guard, loader and page. */
export const router = createRouter({
  routeTree: root.addChildren([
    login,
    signedIn.addChildren([
      home,
      tenants,
      createTenant,
      tenant.addChildren([tenantOverview, tenantUsers, tenantKeys, tenantTasks, tenantActivity]),
      users,
      createUser,
      apiKeys,
      tasks,
      createTask,
      runs,
      task,
      settings,
      activity,
      prompts,
      comparePrompts,
      unknownAddress,
    ]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // The query cache keeps loaded data, so the router caches nothing.
  defaultPreloadStaleTime: 0,
  // Keep the current page until the next one has loaded or 300 ms have passed. A filter change never hides the page.
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
  defaultPendingComponent: LoadingPage,
  defaultErrorComponent: CrashPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** The action that led to the page, and the steps that usually follow. */
    arrival?: Arrival
    isKeyOpenedHere?: true
  }
}
