import { createRoute } from '@tanstack/react-router'
import type { ActivitySearch } from '#src/activity/activity.api.ts'
import { lazyPage } from '#src/lib/lazy.tsx'
import { lazyCode } from '#src/lib/load-code.ts'
import type { DeliverySearch } from '#src/signals/webhooks/webhooks.api.ts'
import { textsOf } from '#src/lists/list-search.ts'
import { signedIn } from './signed-in-route.ts'

// Loaded with the first route that needs it.
const accountApi = lazyCode(() => import('#src/account/account.api.ts'))
const activityApi = lazyCode(() => import('#src/activity/activity.api.ts'))
const secondFactorsApi = lazyCode(() => import('#src/account/second-factors/second-factors.api.ts'))
const systemApi = lazyCode(() => import('#src/system/system.api.ts'))
const teamApi = lazyCode(() => import('#src/team/team.api.ts'))
const alertRulesApi = lazyCode(() => import('#src/signals/alerts/alert-rules.api.ts'))
const logShippingApi = lazyCode(() => import('#src/signals/log-shipping/log-shipping.api.ts'))
const webhooksApi = lazyCode(() => import('#src/signals/webhooks/webhooks.api.ts'))
const tokensApi = lazyCode(() => import('#src/tokens/tokens.api.ts'))

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyPage(() => import('#src/account/settings-page.tsx').then((code) => code.SettingsPage)),
})

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/',
  loader: async () => (await accountApi()).prefetchAccount(),
  component: lazyPage(() => import('#src/account/profile-page.tsx').then((code) => code.ProfilePage)),
})

const security = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  loader: async () => (await secondFactorsApi()).prefetchSecurity(),
  component: lazyPage(() => import('#src/account/second-factors/security-page.tsx').then((code) => code.SecurityPage)),
})

const sessions = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  loader: async () => (await accountApi()).prefetchSessions(),
  component: lazyPage(() => import('#src/account/sessions-page.tsx').then((code) => code.SessionsPage)),
})

const tokens = createRoute({
  getParentRoute: () => settings,
  path: '/tokens',
  staticData: { capability: 'tokens' },
  loader: async () => (await tokensApi()).prefetchTokens(),
  component: lazyPage(() => import('#src/tokens/tokens-page.tsx').then((code) => code.TokensPage)),
})

// Not settings, but their addresses begin with /settings.

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

const system = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/system',
  staticData: { capability: 'system' },
  loader: async () => (await systemApi()).prefetchSystem(),
  component: lazyPage(() => import('#src/system/system-page.tsx').then((code) => code.SystemPage)),
})

/** The tabs of the signals share a head. */
const signals = createRoute({
  getParentRoute: () => signedIn,
  id: 'signals',
  staticData: { capability: 'view' },
  component: lazyPage(() => import('#src/signals/signals-page.tsx').then((code) => code.SignalsPage)),
})

const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/webhooks/$webhookId',
  staticData: { capability: 'view' },
  validateSearch: (search: Record<string, unknown>): DeliverySearch => textsOf(search),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, params }) => (await webhooksApi()).prefetchWebhook(params.webhookId, deps),
  component: lazyPage(() => import('#src/signals/webhooks/webhook-page.tsx').then((code) => code.WebhookPage)),
})

const webhooks = createRoute({
  getParentRoute: () => signals,
  path: '/settings/webhooks',
  loader: async () => (await webhooksApi()).prefetchWebhooks(),
  component: lazyPage(() => import('#src/signals/webhooks/webhooks-page.tsx').then((code) => code.WebhooksPage)),
})

const alerts = createRoute({
  getParentRoute: () => signals,
  path: '/settings/alerts',
  loader: async () => (await alertRulesApi()).prefetchAlerts(),
  component: lazyPage(() => import('#src/signals/alerts/alerts-page.tsx').then((code) => code.AlertsPage)),
})

const logShipping = createRoute({
  getParentRoute: () => signals,
  path: '/settings/log-shipping',
  loader: async () => (await logShippingApi()).prefetchLogShipping(),
  component: lazyPage(() =>
    import('#src/signals/log-shipping/log-shipping-page.tsx').then((code) => code.LogShippingPage),
  ),
})

/** The settings, and the routes below /settings that are not part of them. */
export const settingsRoutes = [
  settings.addChildren([profile, security, sessions, tokens]),
  team,
  activity,
  webhook,
  signals.addChildren([webhooks, alerts, logShipping]),
  system,
] as const
