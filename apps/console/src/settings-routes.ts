import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '#src/lib/lazy.tsx'
import { textsOf } from '#src/lists/list-search.ts'
import {
  accountApi,
  activityApi,
  activityPage,
  type ActivitySearch,
  secondFactorsApi,
  systemApi,
  teamApi,
  tokensApi,
} from './route-code.ts'
import { signedIn } from './signed-in-route.ts'

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
  component: activityPage,
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
