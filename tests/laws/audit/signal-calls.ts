import { makeLogSink } from '@switchboard/testing/log-sink-factory'
import { makeDelivery, makeWebhook } from '@switchboard/testing/webhook-factory'
import { type AuditedCalls, del, patch, post, put } from './audited-call.ts'

export const SIGNAL_CALLS: AuditedCalls = {
  'alerts.update_rule': () => patch('/alerts/rules/key_expiring', { is_on: false }),
  'alerts.update_settings': () => put('/alerts/settings', { quiet_hours: null, digest_minutes: 7 }),
  'webhooks.create': () => post('/webhooks', { url: 'https://billing.example.com/events' }),
  'webhooks.update': async ({ db }) => put(`/webhooks/${(await makeWebhook(db)).id}`, { is_active: false }),
  'webhooks.rotate_secret': async ({ db }) => post(`/webhooks/${(await makeWebhook(db)).id}/secret`, {}),
  'webhooks.test': async ({ db }) => post(`/webhooks/${(await makeWebhook(db)).id}/test`),
  'webhooks.replay': async ({ db }) => {
    const { id } = await makeWebhook(db)
    await makeDelivery(db, { webhook_id: id })
    return post(`/webhooks/${id}/replay`, { since: '2026-01-01T00:00:00.000Z' })
  },
  'webhook_deliveries.replay': async ({ db }) => {
    const { id } = await makeDelivery(db, { webhook_id: (await makeWebhook(db)).id })
    return post(`/webhook-deliveries/${id}/replay`)
  },
  'webhooks.delete': async ({ db }) => del(`/webhooks/${(await makeWebhook(db)).id}`),
  'log_sinks.create': () => post('/log-sinks', { kind: 'syslog', name: 'Vault', address: 'logs.example.com:6514' }),
  'log_sinks.update': async ({ db }) => put(`/log-sinks/${(await makeLogSink(db, SINK)).id}`, { is_on: false }),
  'log_sinks.test': async ({ db }) => post(`/log-sinks/${(await makeLogSink(db, SINK)).id}/test`),
  'log_sinks.delete': async ({ db }) => del(`/log-sinks/${(await makeLogSink(db, SINK)).id}`),
}

const SINK = { kind: 'syslog', address: 'logs.example.com:6514' } as const
