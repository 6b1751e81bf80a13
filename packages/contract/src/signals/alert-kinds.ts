import { LOW_RATING_MAX } from '#src/reviews/low-ratings.ts'
import type { Alert, AlertKind } from '#src/signals/alerts.ts'
import { SINK_LATE_MINUTES } from '#src/signals/log-sinks.ts'
import { BACKUP_LATE_HOURS } from '#src/system.ts'
import { LATE_AFTER_MINUTES } from '#src/tasks/task-state.ts'

/** A number from which on a kind alerts. `unit` follows the number in a sentence. */
type Threshold = { unit: string; initial: number; min: number; max: number }

/** What a kind of alerts is about, and its rule until somebody changes it. */
type KindDescription = {
  label: string
  description: string
  /** What to do about an alert, as a sentence of its mail. */
  advice: string
  /** Whether the rule is on at first. */
  is_on: boolean
  /** Whether its messages are also sent during quiet hours, at first. */
  is_urgent: boolean
  threshold?: Threshold
  /** An alert about something that happened, such as a sign-in: it is told once and never resolved. */
  is_event?: true
}

/** What is known about each kind. */
export const ALERT_KINDS: Readonly<Record<AlertKind, KindDescription>> = {
  key_leaked: {
    label: 'Leaked API key',
    description: 'A key was found in public, and has not been replaced or deleted.',
    advice: 'Rotate the key, or deactivate it if nobody needs it.',
    is_on: true,
    is_urgent: true,
  },
  keys_refused: {
    label: 'All calls of a tenant refused',
    description: 'Calls of an active tenant were refused and none was accepted, in this hour and the one before.',
    advice: 'See why the calls are refused, then correct the keys or tell the tenant.',
    is_on: true,
    is_urgent: false,
    threshold: { unit: 'refused calls', initial: 10, min: 1, max: 1_000_000 },
  },
  refusals_high: {
    label: 'Many refused calls',
    description: 'Calls of one key were refused, in this hour and the one before.',
    advice: 'See why and from where the calls are refused.',
    is_on: true,
    is_urgent: false,
    threshold: { unit: 'refused calls', initial: 1_000, min: 1, max: 1_000_000_000 },
  },
  key_expiring: {
    label: 'API key expires',
    description: 'An active key without a successor expires in 14 days, in 3 days, and has expired.',
    advice: 'Rotate the key or change its expiry, or delete it if nobody needs it.',
    is_on: true,
    is_urgent: false,
  },
  task_failing: {
    label: 'Task fails',
    description: 'A task has failed several times in a row, or was paused after failures.',
    advice: 'Read why the last runs failed, correct the task, and resume it if it is paused.',
    is_on: true,
    is_urgent: false,
    threshold: { unit: 'failures in a row', initial: 3, min: 1, max: 3 },
  },
  runs_late: {
    label: 'Runs are late',
    description: 'Runs that are due have not started. One alert tells of all of them.',
    advice: 'Check on the System page whether the workers run and keep up.',
    is_on: true,
    is_urgent: false,
    threshold: { unit: 'minutes', initial: 15, min: LATE_AFTER_MINUTES, max: 1_440 },
  },
  tenant_without_admin: {
    label: 'Tenant without an admin',
    description: 'An active tenant that is older than a day has no active user with the role admin.',
    advice: 'Make a user of the tenant an admin, or invite one.',
    is_on: false,
    is_urgent: false,
  },
  low_rating: {
    label: 'Low rating',
    description: 'Google returned a new review with few stars.',
    advice: 'Read the review.',
    is_on: false,
    is_urgent: false,
    threshold: { unit: 'stars or fewer', initial: LOW_RATING_MAX, min: 1, max: LOW_RATING_MAX },
    is_event: true,
  },
  worker_silent: {
    label: 'Workers are silent',
    description: 'No worker runs, or none looks for causes of alerts.',
    advice: 'Start a worker, or read the log of the workers.',
    is_on: true,
    is_urgent: true,
    threshold: { unit: 'minutes', initial: 5, min: 1, max: 1_440 },
  },
  backup_late: {
    label: 'Backup is late or failed',
    description: 'The newest backup is too old, or the last backup or verification failed.',
    advice: 'Make a backup now, and read why the last one is missing or failed.',
    is_on: true,
    is_urgent: false,
    threshold: { unit: 'hours', initial: BACKUP_LATE_HOURS, min: 1, max: 720 },
  },
  chain_broken: {
    label: 'Audit log was changed',
    description: 'The daily check of the hash chain has found a row that is not as it was written.',
    advice: 'Keep a copy of the database, and compare it with a backup.',
    is_on: true,
    is_urgent: true,
  },
  mail_failing: {
    label: 'Mail is not sent',
    description: 'The mail server refuses the newest mails. Shown in the console, and sent to webhooks.',
    advice: 'Check the mail server and SMTP_URL.',
    is_on: true,
    is_urgent: false,
  },
  webhook_failing: {
    label: 'Webhook fails',
    description: 'All deliveries to a webhook have failed for a while, or the worker has switched it off.',
    advice: 'Read the answers of the receiver and mend it. Then switch the webhook on if it is off.',
    is_on: true,
    is_urgent: false,
    threshold: { unit: 'minutes', initial: 60, min: 5, max: 4_320 },
  },
  log_sink_late: {
    label: 'Log shipping fails or is late',
    description: 'A log sink has failed for a while, or has not got an entry of the audit log for as long.',
    advice: 'Read the last error of the log sink and mend its receiver, or start a worker.',
    is_on: true,
    is_urgent: false,
    threshold: { unit: 'minutes', initial: SINK_LATE_MINUTES, min: 5, max: 10_080 },
  },
  new_sign_in: {
    label: 'Sign-in from a new place',
    description: 'A member of the team signed in from a new device or network.',
    advice: 'Ask the member. If it was somebody else, end the sessions of the account and reset its password.',
    is_on: true,
    is_urgent: true,
    is_event: true,
  },
  access_changed: {
    label: 'Second factor or role changed',
    description: 'A member of the team has another second factor or role, has lost the role, or is new.',
    advice: 'If nobody meant this, take it back and end the sessions of the account.',
    is_on: true,
    is_urgent: true,
    is_event: true,
  },
}

type About = Pick<Alert, 'kind' | 'target_id' | 'tenant_id'>

/** The page of the console where the cause of an alert is mended, and the words of the link. */
export function remedyOf({ kind, target_id, tenant_id }: About): { label: string; path: string } {
  switch (kind) {
    case 'key_leaked':
    case 'key_expiring':
    case 'refusals_high':
      return { label: 'Open key', path: `/keys?key=${target_id}` }
    case 'keys_refused':
      return { label: 'Open keys', path: `/tenants/${tenant_id}/keys` }
    case 'task_failing':
      return { label: 'Open task', path: `/tasks/${target_id}` }
    case 'runs_late':
      return { label: 'Open late tasks', path: '/tasks?state=late' }
    case 'tenant_without_admin':
      return { label: 'Open users', path: `/tenants/${tenant_id}/users` }
    case 'low_rating':
      return { label: 'Open reviews', path: `/tenants/${tenant_id}/reviews?attention=reviews_low` }
    case 'worker_silent':
    case 'backup_late':
    case 'mail_failing':
      return { label: 'Open System', path: '/settings/system' }
    case 'webhook_failing':
      return { label: 'Open webhook', path: `/settings/webhooks/${target_id}` }
    case 'log_sink_late':
      return { label: 'Open Log Shipping', path: '/settings/log-shipping' }
    case 'chain_broken':
      return { label: 'Open Activity', path: '/settings/activity' }
    case 'new_sign_in':
      return { label: 'Open activity', path: `/settings/activity?actor=${target_id}` }
    case 'access_changed':
      return { label: 'Open Team', path: '/settings/team' }
  }
}

/** The page with all causes of a kind. Without one, the list of alerts. */
export function listOfKind(kind: AlertKind): string {
  return LISTS[kind] ?? ALERTS_PATH
}

/** The page of alerts in the console. */
export const ALERTS_PATH = '/settings/alerts'

const LISTS: { [Kind in AlertKind]?: string } = {
  key_leaked: '/keys?attention=keys_reported',
  keys_refused: '/keys?attention=keys_refused',
  refusals_high: '/keys?attention=keys_refused',
  key_expiring: '/keys?attention=keys_expiring',
  task_failing: '/tasks?state=paused',
  tenant_without_admin: '/tenants?attention=no_active_admin',
  low_rating: '/tenants?attention=reviews_low',
  webhook_failing: '/settings/webhooks',
  log_sink_late: '/settings/log-shipping',
}
