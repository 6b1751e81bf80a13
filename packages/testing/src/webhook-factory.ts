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
