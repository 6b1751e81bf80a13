import type { AuditTargetType } from '@switchboard/contract/activity'
import type { MovedKind, StreamedEntry } from '@switchboard/contract/signals/stream'

const DASHBOARD = ['attention', 'firstSteps', 'tenantAnalytics', 'trends', 'userAnalytics']

/** The first parts of the cache keys that show records of a type, or count them. */
const TOUCHED: Readonly<Record<AuditTargetType, readonly string[]>> = {
  tenant: ['tenants', 'tenant-notes', 'users', 'api-keys', 'tasks', 'prompts', ...DASHBOARD],
  user: [
    'users',
    'tenants',
    'team',
    'invitations',
    'sessions',
    'sign-ins',
    'second-factors',
    'email-change',
    ...DASHBOARD,
  ],
  api_key: ['api-keys', 'tenants', ...DASHBOARD],
  task: ['tasks', 'tenants', ...DASHBOARD],
  prompt: ['prompts'],
  addendum: ['prompts'],
  session: ['sessions', 'sign-ins', 'team'],
  token: ['tokens'],
  webhook: ['webhooks'],
  log_sink: ['log-sinks'],
}
/** Those of settings, and of everything that the system watches itself. */
const WITHOUT_TARGET = ['invitations', 'security', 'sessions', 'sign-ins', 'system', 'team']

/** Those of rows that begin and end without an entry. */
const MOVED: Readonly<Record<MovedKind, readonly string[]>> = {
  runs: ['tasks', 'system', ...DASHBOARD],
  deliveries: ['webhooks'],
}

const ALERTS = ['alerts', 'alert-rules']

/** The first parts of the cache keys of all queries that an entry of the audit log makes outdated. */
export function touchedBy({ outcome, target_type, action }: StreamedEntry): readonly string[] {
  if (outcome !== 'done') return ['activity']
  const ofAlerts = action.startsWith('alerts.') ? ALERTS : []
  return ['activity', ...ofAlerts, ...(target_type === null ? WITHOUT_TARGET : TOUCHED[target_type])]
}

/** The first parts of the cache keys of all queries that show rows of these kinds, or count them. */
export function touchedByMoves(kinds: readonly MovedKind[]): readonly string[] {
  return kinds.flatMap((kind) => MOVED[kind])
}

/** The first parts of all cache keys that an entry may touch. */
export const ALL_TOUCHED: readonly string[] = [
  'activity',
  ...ALERTS,
  ...WITHOUT_TARGET,
  ...Object.values(TOUCHED).flat(),
]
