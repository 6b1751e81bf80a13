import * as z from 'zod/mini'
import { WEBHOOK_DISABLED_ACTION } from '#src/activity.ts'
import { moment } from '#src/wire/text.ts'
import type { EventDescription } from './event-description.ts'

const subjects = ['webhook'] as const
const fields = {
  format: z.string(),
  description: z.string(),
  event_types: z.array(z.string()),
  is_active: z.boolean(),
  old_secret_until: moment,
}

/** Events about webhooks. Their addresses are left out. */
export const WEBHOOK_EVENTS = {
  'webhook.created': {
    actions: ['webhooks.create'],
    subjects,
    description: 'A webhook was added.',
    fields,
    example: { changes: { format: [null, 'standard'], description: [null, 'Billing'], url: [null, null] } },
  },
  'webhook.updated': {
    actions: ['webhooks.update'],
    subjects,
    description: 'A webhook was changed, or switched on or off.',
    fields,
    example: { changes: { is_active: [true, false] } },
  },
  'webhook.secret_rotated': {
    actions: ['webhooks.rotate_secret'],
    subjects,
    description: 'The secret of a webhook was replaced. Deliveries are also signed with the old one for some hours.',
    fields,
    example: { changes: { old_secret_until: [null, '2026-11-21T12:00:00.000Z'] } },
  },
  'webhook.disabled': {
    actions: [WEBHOOK_DISABLED_ACTION],
    subjects,
    description: 'A webhook was switched off, because no delivery succeeded for three days or its receiver is gone.',
    fields,
    example: { reason: 'No delivery succeeded for three days.', changes: { is_active: [true, false] } },
  },
  'webhook.deleted': {
    actions: ['webhooks.delete'],
    subjects,
    description: 'A webhook was deleted, with its deliveries.',
    fields,
    example: { changes: { format: ['standard', null], description: ['Billing', null] } },
  },
} as const satisfies Record<string, EventDescription>
