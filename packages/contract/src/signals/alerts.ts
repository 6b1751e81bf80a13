import * as z from 'zod/mini'
import { auditTargetType } from '#src/activity.ts'
import { LOW_RATING_MAX } from '#src/reviews/low-ratings.ts'
import { SINK_LATE_MINUTES } from '#src/signals/log-sinks.ts'
import { BACKUP_LATE_HOURS } from '#src/system.ts'
import { LATE_AFTER_MINUTES } from '#src/tasks/task-state.ts'
import { timeZone } from '#src/tasks/time-zone.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { moment } from '#src/wire/text.ts'

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

/** A kind of alerts, in the order of the screen. Each has one rule. */
export const alertKind = z.enum([
  'key_leaked',
  'keys_refused',
  'refusals_high',
  'key_expiring',
  'task_failing',
  'runs_late',
  'tenant_without_admin',
  'low_rating',
  'worker_silent',
  'backup_late',
  'chain_broken',
  'mail_failing',
  'webhook_failing',
  'log_sink_late',
  'new_sign_in',
  'access_changed',
])
export type AlertKind = z.infer<typeof alertKind>

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

/** Maximum number of people and of webhooks in a rule. */
export const ALERT_PEOPLE_MAX = 100
export const ALERT_WEBHOOKS_MAX = 20
/** Longest time to collect alerts for one message, in minutes. */
export const DIGEST_MINUTES_MAX = 1_440
/** Alerts in an answer. */
export const ALERTS_LISTED = 100
/** Days after which an alert that is over is deleted. */
export const ALERT_DAYS = 90

/** An alert: something needs attention, or needed it. */
export const alert = z.object({
  /** Id of the alert. */
  id: z.uuid(),
  kind: alertKind,
  /** What is wrong, as a sentence. */
  text: z.string(),
  /** Type of the record that it is about. Null: the installation. */
  target_type: z.nullable(auditTargetType),
  /** Id of that record. */
  target_id: z.nullable(z.uuid()),
  /** Id of the tenant of that record. */
  tenant_id: z.nullable(z.uuid()),
  /** When it was noticed. */
  opened_at: moment,
  /** When it was over. Null for one that is open, and for one that tells of something that happened. */
  resolved_at: z.nullable(moment),
  /** Whether it waits to be read by the caller. An alert about the caller's own sign-in does not. */
  is_unread: z.boolean(),
})
export type Alert = z.infer<typeof alert>

/** The newest alerts. */
export const alertList = z.object({
  /** Number of alerts that the caller has not read and that are not over. */
  unread: z.int(),
  /** Number of alerts that are open. */
  open: z.int(),
  /** Those that are not over first, each the newest first. */
  alerts: z.array(alert),
})
export type AlertList = z.infer<typeof alertList>

/** Who is told about the alerts of a kind, and from when on. */
export const alertRule = z.object({
  kind: alertKind,
  /** Whether the kind alerts. */
  is_on: z.boolean(),
  /** Whether its messages are also sent during quiet hours. */
  is_urgent: z.boolean(),
  /** From which number on the kind alerts. Null for a kind without a number. */
  threshold: z.nullable(z.int()),
  /** Ids of the members who get a mail. Null: all super admins. */
  user_ids: z.nullable(z.array(z.uuid())),
  /** Ids of the webhooks that get a message. */
  webhook_ids: z.array(z.uuid()),
})
export type AlertRule = z.infer<typeof alertRule>

/** Sentence for quiet hours that end when they begin. */
export const SAME_TIMES = 'Choose another end.'

const timeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write the time as 22:00.'))

/**
 * Hours of each day without messages, except urgent ones. They are sent when the hours end.
 * @example {"from":"22:00","to":"07:00","time_zone":"Europe/Berlin"}
 */
export const quietHours = z
  .strictObject({
    /** First minute, on the clock of the time zone. */
    from: timeOfDay,
    /** The first minute after them. Earlier than `from`: on the next day. */
    to: timeOfDay,
    time_zone: timeZone,
  })
  .check(z.refine(({ from, to }) => from !== to, { error: SAME_TIMES, path: ['to'] }))

/**
 * When the messages of all rules are sent.
 * @example {"quiet_hours":{"from":"22:00","to":"07:00","time_zone":"Europe/Berlin"},"digest_minutes":5}
 */
export const alertSettings = z.strictObject({
  /** Hours without messages. Null: none. */
  quiet_hours: z.nullable(quietHours),
  /** Minutes between two messages: what happens in between is in the next one. */
  digest_minutes: z.int().check(z.minimum(1), z.maximum(DIGEST_MINUTES_MAX)),
})
export type AlertSettings = z.infer<typeof alertSettings>

/** All rules, and when messages are sent. */
export const alertRules = z.object({
  /** One rule for each kind, in the order of the screen. */
  rules: z.array(alertRule),
  settings: alertSettings,
  /** Whether the server sends mail. */
  is_mail_on: z.boolean(),
  /** Members who can be told by mail. */
  people: z.array(
    z.object({
      /** Id of the member. */
      id: z.uuid(),
      /** Address of the member. */
      email: z.string(),
      /** Whether the member is told when a rule names nobody. */
      is_super_admin: z.boolean(),
    }),
  ),
  /** Webhooks that can get a message. */
  webhooks: z.array(
    z.object({
      /** Id of the webhook. */
      id: z.uuid(),
      /** Its description, or without one its address. */
      name: z.string(),
    }),
  ),
})
export type AlertRules = z.infer<typeof alertRules>

/**
 * Fields of a rule to change; fields left out stay as they are.
 * @example {"is_on":true,"threshold":100,"user_ids":null}
 */
export const updateAlertRuleBody = z.partial(
  z.strictObject({
    /** Whether the kind alerts. */
    is_on: z.boolean(),
    /** Whether its messages are also sent during quiet hours. */
    is_urgent: z.boolean(),
    /** From which number on the kind alerts, within the limits of the kind. */
    threshold: z.int().check(z.minimum(1), z.maximum(1_000_000_000)),
    /** Ids of the members who get a mail. Null: all super admins. Empty: nobody. */
    user_ids: z.nullable(z.array(z.uuid()).check(z.maxLength(ALERT_PEOPLE_MAX))),
    /** Ids of the webhooks that get a message. */
    webhook_ids: z.array(z.uuid()).check(z.maxLength(ALERT_WEBHOOKS_MAX)),
  }),
)
export type UpdateAlertRuleBody = z.infer<typeof updateAlertRuleBody>

/** The answer to a threshold outside of the limits of its kind. */
export function thresholdRefused({ min, max }: Pick<Threshold, 'min' | 'max'>): string {
  return `Use a number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}.`
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

const url = '/api/v1/admin/alerts'
const tags = ['Alerts']
const change = { capability: 'signals', confirmed: true } as const

/** The newest alerts, 100 at most, and first of all the open ones. Alerts about something that happened are deleted after 90 days, like those that are over. */
export const listAlerts = endpoint('GET', url, {
  config: { capability: 'view' },
  operationId: 'alerts.list',
  summary: 'List alerts',
  tags,
  response: { 200: alertList },
})

/** Marks alerts as read by the caller. Others still see them as unread. */
export const readAlerts = endpoint('POST', `${url}/read`, {
  config: { capability: 'own_account' },
  operationId: 'alerts.read',
  summary: 'Mark alerts as read',
  tags,
  body: z.strictObject({
    /** Ids of the alerts. Missing: all of them. */
    ids: z.optional(z.array(z.uuid()).check(z.maxLength(ALERTS_LISTED))),
  }),
  response: { 204: z.null() },
})

/** The rules of all kinds, and the people whom they can tell. */
export const listAlertRules = endpoint('GET', `${url}/rules`, {
  config: { capability: 'view' },
  operationId: 'alerts.list_rules',
  summary: 'List the rules of alerts',
  tags,
  response: { 200: alertRules },
})

/** Changes the rule of a kind. Switched off, its open alerts end without a message. */
export const updateAlertRule = endpoint('PATCH', `${url}/rules/:kind`, {
  config: change,
  operationId: 'alerts.update_rule',
  summary: 'Change the rule of a kind of alerts',
  tags,
  params: z.strictObject({ kind: alertKind }),
  body: updateAlertRuleBody,
  response: { 200: alertRule },
})

/** Changes the quiet hours and the time between two messages. */
export const updateAlertSettings = endpoint('PUT', `${url}/settings`, {
  config: change,
  operationId: 'alerts.update_settings',
  summary: 'Change when messages about alerts are sent',
  tags,
  body: alertSettings,
  response: { 200: alertSettings },
})
