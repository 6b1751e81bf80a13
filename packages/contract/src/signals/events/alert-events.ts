import * as z from 'zod/mini'
import { ALERT_OPENED_ACTION, ALERT_RESOLVED_ACTION, ALERTS_TOLD_ACTION } from '#src/activity.ts'
import { alertRule, alertSettings } from '#src/signals/alert-rules.ts'
import { alertKind } from '#src/signals/alerts.ts'
import type { EventDescription } from './event-description.ts'

const subjects = [null, 'tenant', 'api_key', 'task', 'user', 'webhook', 'log_sink'] as const
const fields = { alert_id: z.uuid(), kind: alertKind, is_replaced: z.boolean() }
const example = {
  reason: 'The API key “Portal” of Harbor Dental was reported as leaked.',
  changes: { alert_id: [null, '7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d'], kind: [null, 'key_leaked'] },
} as const

/** Events about alerts and their rules. */
export const ALERT_EVENTS = {
  'alert.opened': {
    actions: [ALERT_OPENED_ACTION],
    subjects,
    description: 'Something needs attention. The reason says what.',
    fields,
    example,
  },
  'alert.resolved': {
    actions: [ALERT_RESOLVED_ACTION],
    subjects,
    description:
      'What needed attention is over, or its rule is off. With `is_replaced`, a later alert about the same record replaces it.',
    fields,
    example,
  },
  'alert.notified': {
    actions: [ALERTS_TOLD_ACTION],
    subjects: ['webhook'],
    description:
      'One message about all alerts that opened or ended since the last one, for a webhook that rules of alerts name. Other webhooks do not get it.',
    fields: { opened: z.int(), resolved: z.int() },
    example: { reason: example.reason, changes: { opened: [null, 1], resolved: [null, 0] } },
  },
  'alert.rule_changed': {
    actions: ['alerts.update_rule'],
    subjects: [null],
    description: 'The rule of a kind of alerts was changed.',
    fields: alertRule.shape,
    example: { changes: { kind: ['key_leaked', 'key_leaked'], is_on: [true, false] } },
  },
  'alert.settings_changed': {
    actions: ['alerts.update_settings'],
    subjects: [null],
    description: 'The quiet hours of alerts or the time between two messages was changed.',
    fields: alertSettings.shape,
    example: { changes: { digest_minutes: [5, 30] } },
  },
} as const satisfies Record<string, EventDescription>
