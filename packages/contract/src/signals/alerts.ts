import * as z from 'zod/mini'
import { auditTargetType } from '#src/activity.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { moment } from '#src/wire/text.ts'

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

const url = '/api/v1/admin/alerts'
const tags = ['Alerts']

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
