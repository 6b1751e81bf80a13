import type { Database } from '@switchboard/database/tables'
import type { Insertable, Kysely } from 'kysely'

/** The secret of each webhook. */
export const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** Inserts a webhook whose secret is not encrypted. It gets the events after the entry `seq` of the audit log, by default all. */
export async function makeWebhook(
  db: Kysely<Database>,
  { seq = 0, ...fields }: Partial<Insertable<Database['webhooks']>> & { seq?: number } = {},
) {
  const webhook = await db
    .insertInto('webhooks')
    .values({
      format: 'standard',
      url: 'https://receiver.example.com/events',
      secret: Buffer.from(WEBHOOK_SECRET),
      created_at: new Date('2026-11-20T12:00:00.000Z'),
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await db.insertInto('webhook_positions').values({ webhook_id: webhook.id, seq }).execute()
  return webhook
}

/** Inserts a delivery that has failed. */
export async function makeDelivery(
  db: Kysely<Database>,
  fields: Partial<Insertable<Database['webhook_deliveries']>> & { webhook_id: string },
) {
  const at = new Date('2026-11-20T12:00:00.000Z')
  const problem = 'The receiver answered with status 500.'
  const row = await db
    .insertInto('webhook_deliveries')
    .values({
      seq: 1,
      event_id: 'evt_1',
      event_type: 'tenant.created',
      target_name: 'Harbor Dental',
      body: '{"id":"evt_1"}',
      at,
      state: 'failed',
      attempts: 1,
      began_at: at,
      ended_at: at,
      attempted_at: at,
      duration_ms: 12,
      status: 500,
      problem,
      answer: 'Out of order',
      history: JSON.stringify([{ at: at.toISOString(), duration_ms: 12, status: 500, problem }]),
      ...fields,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return row
}
