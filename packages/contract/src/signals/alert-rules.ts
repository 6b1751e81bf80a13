import * as z from 'zod/mini'
import { alertKind } from '#src/signals/alerts.ts'
import { timeZone } from '#src/tasks/time-zone.ts'
import { endpoint } from '#src/wire/endpoint.ts'

/** Maximum number of people and of webhooks in a rule. */
export const ALERT_PEOPLE_MAX = 100
export const ALERT_WEBHOOKS_MAX = 20
/** Longest time to collect alerts for one message, in minutes. */
export const DIGEST_MINUTES_MAX = 1_440

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
export function thresholdRefused({ min, max }: { min: number; max: number }): string {
  return `Use a number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}.`
}

const url = '/api/v1/admin/alerts'
const tags = ['Alerts']
const change = { capability: 'signals', confirmed: true } as const

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
