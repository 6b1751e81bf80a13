import { makeWebhook } from '@switchboard/testing/webhook-factory'
import { type AuditedCalls, del, post, put } from './audited-call.ts'

export const SIGNAL_CALLS: AuditedCalls = {
  'webhooks.create': () => post('/webhooks', { url: 'https://billing.example.com/events' }),
  'webhooks.update': async ({ db }) => put(`/webhooks/${(await makeWebhook(db)).id}`, { is_active: false }),
  'webhooks.rotate_secret': async ({ db }) => post(`/webhooks/${(await makeWebhook(db)).id}/secret`, {}),
  'webhooks.delete': async ({ db }) => del(`/webhooks/${(await makeWebhook(db)).id}`),
}
