import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'

/** Deliveries counted as waiting. */
const WAITING_MAX = 1_000

const COLUMNS = [
  'id',
  'format',
  'url',
  'description',
  'event_types',
  'is_active',
  'disabled_reason',
  'disabled_at',
  'failing_since',
  'last_delivered_at',
  'old_secret_until',
  'created_at',
  'version',
] as const

const waiting = sql<number>`(
  select count(*) from (
    select 1 from webhook_deliveries where webhook_id = webhooks.id and ended_at is null limit ${sql.lit(WAITING_MAX)}
  ) as counted
)`.as('waiting')

/** All webhooks, oldest first. */
export async function allWebhooks(db: Kysely<Database>) {
  return await db.selectFrom('webhooks').select(COLUMNS).select(waiting).orderBy('created_at').orderBy('id').execute()
}

export async function lockWebhook(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('webhooks')
    .select(COLUMNS)
    .select(waiting)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Serializes the creation of webhooks until the end of the transaction. */
export async function lockWebhooks(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('webhooks', 0))`.execute(trx)
}

export async function countWebhooks(trx: Transaction<Database>): Promise<number> {
  const { count } = await trx
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Inserts a webhook that gets the events after the entry with number `seq`. */
export async function insertWebhook(
  trx: Transaction<Database>,
  webhook: Insertable<Database['webhooks']> & { id: string },
  seq: number,
): Promise<void> {
  await trx.insertInto('webhooks').values(webhook).execute()
  await trx.insertInto('webhook_positions').values({ webhook_id: webhook.id, seq }).execute()
}

export async function changeWebhook(
  trx: Transaction<Database>,
  id: string,
  fields: Updateable<Database['webhooks']>,
): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ ...fields, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** Makes the current secret the old one until a moment, or forgets it. */
export async function replaceSecret(
  trx: Transaction<Database>,
  id: string,
  { secret, old_secret_until }: { secret: Buffer; old_secret_until: Date | null },
): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({
      secret,
      old_secret: old_secret_until === null ? null : sql`secret`,
      old_secret_until,
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute()
}

export async function removeWebhook(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute()
}
