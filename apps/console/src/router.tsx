import type { Capability } from '@switchboard/contract/auth/capabilities'
import type { runList } from '@switchboard/contract/runs/run-list'
import type { taskList } from '@switchboard/contract/tasks'
import type { tenantList } from '@switchboard/contract/tenants'
import type { userList } from '@switchboard/contract/users'
import { createRoute, createRouter } from '@tanstack/react-router'
import { CrashPage } from '#src/layout/crash-page.tsx'
import { LoadingPage } from '#src/layout/loading-page.tsx'
import { NotFoundPage } from '#src/layout/not-found-page.tsx'
import type { KeySearch } from '#src/api-keys/api-keys.api.ts'
import { lazyPage } from '#src/lib/lazy.tsx'
import { lazyCode } from '#src/lib/load-code.ts'
import { parseSearch, type SearchOf, searchOf, stringifySearch, textsOf } from '#src/lists/list-search.ts'
import type { Arrival } from '#src/ui/notice/arrival-notice.tsx'
import { root, signedIn } from './signed-in-route.ts'
import { signedOutRoutes } from './signed-out-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { tenantRoutes } from './tenant-routes.ts'

// Loaded with the first route that needs it.
const dashboardApi = lazyCode(() => import('#src/dashboard/dashboard.api.ts'))
const tenantsApi = lazyCode(() => import('#src/tenants/tenants.api.ts'))
const usersApi = lazyCode(() => import('#src/users/users.api.ts'))
const apiKeysApi = lazyCode(() => import('#src/api-keys/api-keys.api.ts'))
const tasksApi = lazyCode(() => import('#src/tasks/tasks.api.ts'))
const runListApi = lazyCode(() => import('#src/tasks/runs/run-list.api.ts'))
const promptsApi = lazyCode(() => import('#src/prompts/prompts.api.ts'))

type DashboardSearch = { [Name in 'attention' | 'days']?: string | undefined }

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: (search: Record<string, unknown>): DashboardSearch => textsOf(search),
  loaderDeps: ({ search: { days } }) => ({ days }),
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
  staticData: { capability: 'edit', isForm: true },
  component: lazyPage(() => import('#src/tenants/create-tenant-page.tsx').then((code) => code.CreateTenantPage)),
})

const importTenants = createRoute({
  getParentRoute: () => signedIn,
  path: '/tenants/import',
  staticData: { capability: 'edit' },
  component: lazyPage(() => import('#src/imports/import-page.tsx').then((code) => code.ImportTenantsPage)),
})

const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/users',
  validateSearch: (search: Record<string, unknown>): SearchOf<typeof userList> => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await usersApi()).userPages.prefetch(deps),
  component: lazyPage(() => import('#src/users/users-page.tsx').then((code) => code.UsersPage)),
})

const createUser = createRoute({
  getParentRoute: () => signedIn,
  path: '/users/create',
  staticData: { capability: 'edit', isForm: true },
  validateSearch: searchOf('tenant_id'),
  component: lazyPage(() => import('#src/users/create-user-page.tsx').then((code) => code.CreateUserPage)),
})

const importUsers = createRoute({
  getParentRoute: () => signedIn,
  path: '/users/import',
  staticData: { capability: 'edit' },
  component: lazyPage(() => import('#src/imports/import-page.tsx').then((code) => code.ImportUsersPage)),
})

const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  validateSearch: (search: Record<string, unknown>): KeySearch => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await apiKeysApi()).prefetchKeys(deps),
  component: lazyPage(() => import('#src/api-keys/api-keys-page.tsx').then((code) => code.ApiKeysPage)),
})

const tasks = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks',
  validateSearch: (search: Record<string, unknown>): SearchOf<typeof taskList> => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await tasksApi()).taskPages.prefetch(deps),
  component: lazyPage(() => import('#src/tasks/tasks-page.tsx').then((code) => code.TasksPage)),
})

const createTask = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/create',
  staticData: { capability: 'edit', isForm: true },
  validateSearch: searchOf('tenant_id'),
  component: lazyPage(() => import('#src/tasks/create-task-page.tsx').then((code) => code.CreateTaskPage)),
})

const runs = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/runs',
  validateSearch: (search: Record<string, unknown>): SearchOf<typeof runList> => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await runListApi()).runPages.prefetch(deps),
  component: lazyPage(() => import('#src/tasks/runs/runs-page.tsx').then((code) => code.RunsPage)),
})

const task = createRoute({
  getParentRoute: () => signedIn,
  path: '/tasks/$taskId',
  validateSearch: searchOf('limit', 'cursor', 'run'),
  loader: async ({ params }) => (await tasksApi()).prefetchTask(params.taskId),
  component: lazyPage(() => import('#src/tasks/task-page.tsx').then((code) => code.TaskPage)),
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
  component: lazyPage(() => import('#src/prompts/versions/compare-page.tsx').then((code) => code.ComparePage)),
})

/** Behind the sign-in, so that signed-out visitors learn nothing about paths. */
const unknownAddress = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFoundPage })

/** All routes: path, guard, loader and page. */
export const router = createRouter({
  routeTree: root.addChildren([
    ...signedOutRoutes,
    signedIn.addChildren([
      home,
      tenants,
      createTenant,
      importTenants,
      tenantRoutes,
      users,
      createUser,
      importUsers,
      apiKeys,
      tasks,
      createTask,
      runs,
      task,
      ...settingsRoutes,
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
  interface StaticDataRouteOption {
    capability?: Capability
    /** The page is a form: text typed while it opens goes into its first field. */
    isForm?: true
  }
  interface HistoryState {
    /** The action that led to the page, and the steps that usually follow. */
    arrival?: Arrival
    isKeyOpenedHere?: true
  }
}
