/** A screen of the console. `screen-records.ts` makes its records, and replaces `TASK`, `TENANT`, `WEBHOOK` and `NAME`. */
type Screen = {
  address: string
  /** A text of the loaded screen. */
  shown: string | RegExp
  /** The text after failed calls; null for a screen without calls. */
  failed: string | null
  /** The address of the list without a match. */
  nothing?: string
  /** The address of the list with a few rows, for tests that visit every control. */
  few?: string
}

/** The text of a pager with at least one row: "1–50 of 312", or "1 tenant". */
const SOME_ROWS = /^1(–\d+ of | [A-Za-z ]+$)/
/** The reason in every failed answer. */
export const REASON = 'Not today.'
const TENANTS_FAILED = 'Failed to load tenants. Please try again.'

/** All routes of the console without a session. */
export const PUBLIC_SCREENS = ['/login', '/forgotten-password', '/reset-password', '/invitation', '/email-change']

/**
 * All routes of the console behind the sign-in. The tests that walk through every screen, Lighthouse and the benchmark of
 * the files read this list.
 */
export const SCREENS: Record<string, Screen> = {
  '/': { address: '/', shown: 'Needs attention', failed: REASON },
  '/tenants': {
    address: '/tenants',
    few: '/tenants?q=NAME',
    shown: SOME_ROWS,
    failed: REASON,
    nothing: '/tenants?q=no-such-thing',
  },
  '/tenants/create': { address: '/tenants/create', shown: 'Business Type', failed: null },
  '/tenants/import': { address: '/tenants/import', shown: 'CSV file', failed: null },
  '/tenants/$tenantId': { address: '/tenants/TENANT', shown: 'All of the last 7 days', failed: REASON },
  '/tenants/$tenantId/users': {
    address: '/tenants/TENANT/users',
    shown: 'No users found',
    failed: REASON,
    nothing: '/tenants/TENANT/users?q=no-such-thing',
  },
  '/tenants/$tenantId/keys': {
    address: '/tenants/TENANT/keys',
    shown: SOME_ROWS,
    failed: REASON,
    nothing: '/tenants/TENANT/keys?q=no-such-thing',
  },
  '/tenants/$tenantId/tasks': { address: '/tenants/TENANT/tasks', shown: 'No task found', failed: REASON },
  '/tenants/$tenantId/reviews': {
    address: '/tenants/TENANT/reviews',
    shown: 'No reviews yet',
    failed: REASON,
    nothing: '/tenants/TENANT/reviews?q=no-such-thing',
  },
  '/tenants/$tenantId/prompt': { address: '/tenants/TENANT/prompt', shown: 'We close at six.', failed: REASON },
  '/tenants/$tenantId/prompt/compare': {
    address: '/tenants/TENANT/prompt/compare?from=1&to=1',
    shown: 'with version',
    failed: REASON,
  },
  '/tenants/$tenantId/activity': {
    address: '/tenants/TENANT/activity',
    shown: SOME_ROWS,
    failed: REASON,
    nothing: '/tenants/TENANT/activity?from=2001-01-01&to=2001-01-02',
  },
  '/users': { address: '/users', shown: SOME_ROWS, failed: REASON, nothing: '/users?q=no-such-thing' },
  '/users/create': { address: '/users/create', shown: 'Role', failed: TENANTS_FAILED },
  '/users/import': { address: '/users/import', shown: 'CSV file', failed: null },
  '/keys': {
    address: '/keys',
    few: '/keys?q=NAME',
    shown: SOME_ROWS,
    failed: REASON,
    nothing: '/keys?q=no-such-thing',
  },
  '/tasks': {
    address: '/tasks',
    few: '/tasks?q=NAME',
    shown: SOME_ROWS,
    failed: REASON,
    nothing: '/tasks?q=no-such-thing',
  },
  '/tasks/create': { address: '/tasks/create', shown: 'Frequency', failed: TENANTS_FAILED },
  '/tasks/runs': {
    address: '/tasks/runs',
    few: '/tasks/runs?q=NAME',
    shown: SOME_ROWS,
    failed: REASON,
    nothing: '/tasks/runs?q=no-such-thing',
  },
  '/tasks/$taskId': { address: '/tasks/TASK', shown: 'Schedule', failed: REASON },
  '/settings': { address: '/settings', shown: 'Account Information', failed: null },
  '/settings/sessions': { address: '/settings/sessions', shown: 'This session', failed: REASON },
  '/settings/team': { address: '/settings/team', shown: /^\d+ members?$/, failed: REASON },
  '/settings/activity': {
    address: '/settings/activity',
    shown: SOME_ROWS,
    failed: REASON,
    nothing: '/settings/activity?from=2001-01-01&to=2001-01-02',
  },
  '/settings/security': { address: '/settings/security', shown: 'No second factor yet', failed: REASON },
  '/settings/system': { address: '/settings/system', shown: 'Accepts changes', failed: REASON },
  '/settings/tokens': { address: '/settings/tokens', shown: 'New Token', failed: REASON },
  '/settings/log-shipping': { address: '/settings/log-shipping', shown: 'No log sinks yet', failed: REASON },
  '/settings/webhooks': {
    address: '/settings/webhooks',
    shown: /No webhooks yet|receiver\.example\.com/,
    failed: REASON,
  },
  '/settings/webhooks/$webhookId': {
    address: '/settings/webhooks/WEBHOOK',
    shown: 'No deliveries yet',
    failed: REASON,
    nothing: '/settings/webhooks/WEBHOOK?from=2001-01-01&to=2001-01-02',
  },
  '/settings/alerts': { address: '/settings/alerts', shown: 'Leaked API key', failed: REASON },
  '/advanced-settings': { address: '/advanced-settings', shown: 'Available variable:', failed: REASON },
  '/advanced-settings/compare': {
    address: '/advanced-settings/compare?from=1&to=1',
    shown: 'with version',
    failed: REASON,
  },
  $: { address: '/nowhere', shown: 'Page not found', failed: null },
}

/** The screens in parts, so that each test is short. */
export const SCREEN_PARTS = [
  ...Map.groupBy(Object.entries(SCREENS), ([path]) => {
    if (path.startsWith('/tenants')) return 'tenants'
    return /^\/(advanced-)?settings/.test(path) ? 'settings' : 'the rest'
  }),
]
