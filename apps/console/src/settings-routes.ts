import { createRoute } from '@tanstack/react-router'
import type { ActivitySearch } from '#src/activity/activity.api.ts'
import { lazyPage } from '#src/lib/lazy.tsx'
import { lazyCode } from '#src/lib/load-code.ts'
import { textsOf } from '#src/lists/list-search.ts'
import { signedIn } from './signed-in-route.ts'

// Loaded with the first route that needs it.
const accountApi = lazyCode(() => import('#src/account/account.api.ts'))
const activityApi = lazyCode(() => import('#src/activity/activity.api.ts'))
const secondFactorsApi = lazyCode(() => import('#src/account/second-factors/second-factors.api.ts'))
const systemApi = lazyCode(() => import('#src/system/system.api.ts'))
const teamApi = lazyCode(() => import('#src/team/team.api.ts'))
const tokensApi = lazyCode(() => import('#src/tokens/tokens.api.ts'))

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  loader: async () => (await accountApi()).prefetchAccount(),
  component: lazyPage(() => import('#src/account/account-page.tsx').then((code) => code.AccountPage)),
})

const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/team',
  staticData: { capability: 'team' },
  loader: async () => (await teamApi()).prefetchTeam(),
  component: lazyPage(() => import('#src/team/team-page.tsx').then((code) => code.TeamPage)),
})

const activity = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/activity',
  validateSearch: (search: Record<string, unknown>): ActivitySearch => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => (await activityApi()).prefetchActivity(deps),
  component: lazyPage(() => import('#src/activity/activity-page.tsx').then((code) => code.ActivityPage)),
})

const security = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/security',
  loader: async () => (await secondFactorsApi()).prefetchSecurity(),
  component: lazyPage(() => import('#src/account/second-factors/security-page.tsx').then((code) => code.SecurityPage)),
})

const tokens = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/tokens',
  staticData: { capability: 'tokens' },
  loader: async () => (await tokensApi()).prefetchTokens(),
  component: lazyPage(() => import('#src/tokens/tokens-page.tsx').then((code) => code.TokensPage)),
})

const system = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/system',
  staticData: { capability: 'system' },
  loader: async () => (await systemApi()).prefetchSystem(),
  component: lazyPage(() => import('#src/system/system-page.tsx').then((code) => code.SystemPage)),
})

/** The routes below /settings. */
export const settingsRoutes = [settings, team, activity, security, tokens, system] as const
