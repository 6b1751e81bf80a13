import type { DeliveryAttempt } from '@switchboard/contract/signals/webhook-deliveries'
import type { WebhookDisabledReason } from '@switchboard/contract/signals/webhooks'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'

/** Rows that are inserted or started at once. */
const ROWS_MAX = 500
/** The time of a success is written at most this often. */
const DELIVERED_SECONDS = 10

/** The webhooks with entries to read, or with deliveries to start. */
export async function webhooksWithWork(db: Kysely<Database>): Promise<{ webhook_id: string }[]> {
  const { rows } = await sql<{ webhook_id: string }>`
    select webhook_id from webhook_positions as position join webhooks on webhooks.id = webhook_id
    where (is_active and position.seq < (select seq from audit_head)) or exists (
      select 1 from webhook_deliveries as delivery
      where delivery.webhook_id = position.webhook_id and ended_at is null and job_id is null
        and (is_active or delivery.seq is null)
    )
    order by webhooks.created_at, webhook_id`.execute(db)
  return rows
}

/** Locks the position of a webhook. Undefined if another worker has it, or the webhook is gone. */
export async function lockPosition(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('webhooks')
    .innerJoin('webhook_positions', 'webhook_id', 'webhooks.id')
    .select(['webhooks.id', 'seq', 'is_active', 'format', 'event_types'])
    .where('webhook_id', '=', id)
    .forKeyShare('webhooks')
    .forUpdate('webhook_positions')
    .skipLocked()
    .executeTakeFirst()
}

export async function movePosition(trx: Transaction<Database>, webhook_id: string, seq: number): Promise<void> {
  await trx.updateTable('webhook_positions').set({ seq }).where('webhook_id', '=', webhook_id).execute()
}

export async function insertDeliveries(
  trx: Transaction<Database>,
  deliveries: Insertable<Database['webhook_deliveries']>[],
): Promise<void> {
  if (deliveries.length > 0) await trx.insertInto('webhook_deliveries').values(deliveries).execute()
}

/**
 * Marks the oldest unended delivery of each record, or of one record, as having a job, unless another one of the record has one.
 * While a webhook is off, only its tests are started. Returns the marked ones.
 */
export async function markStarted(
  trx: Transaction<Database>,
  webhook_id: string,
  record_id?: string,
): Promise<{ id: string; job_id: string }[]> {
  const ofRecord = record_id === undefined ? sql`true` : sql`delivery.record_id = ${record_id}`
  const { rows } = await sql<{ id: string; job_id: string }>`
    with heads as (
      select distinct on (delivery.record_id) delivery.id
      from webhook_deliveries as delivery join webhooks on webhooks.id = delivery.webhook_id
      where delivery.webhook_id = ${webhook_id} and ${ofRecord} and ended_at is null and job_id is null
        and (is_active or delivery.seq is null)
        and not exists (
          select 1 from webhook_deliveries as earlier
          where earlier.webhook_id = delivery.webhook_id and earlier.record_id = delivery.record_id and earlier.job_id is not null
        )
      order by delivery.record_id, delivery.seq
      limit ${ROWS_MAX}
    )
    update webhook_deliveries set job_id = gen_random_uuid() where id in (select id from heads) and job_id is null
    returning id, job_id`.execute(trx)
  return rows
}

/** Locks a delivery. The webhook is locked before, as its deletion does, so that both never wait for each other. */
export async function lockDelivery(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('webhooks')
    .innerJoin('webhook_deliveries', 'webhook_id', 'webhooks.id')
    .select([
      'webhook_deliveries.id',
      'webhook_id',
      'seq',
      'record_id',
      'event_id',
      'body',
      'ended_at',
      'job_id',
      'attempts',
      'began_at',
      'history',
      'format',
      'url',
      'description',
      'secret',
      'old_secret',
      'old_secret_until',
      'is_active',
      'failing_since',
    ])
    .where('webhook_deliveries.id', '=', id)
    .forKeyShare('webhooks')
    .forUpdate('webhook_deliveries')
    .executeTakeFirst()
}

export async function updateDelivery(
  trx: Transaction<Database>,
  id: string,
  fields: Omit<Updateable<Database['webhook_deliveries']>, 'history'>,
): Promise<void> {
  await trx.updateTable('webhook_deliveries').set(fields).where('id', '=', id).execute()
}

/** Writes the result of an attempt, which is the last one of `history`. */
export async function recordAttempt(
  trx: Transaction<Database>,
  id: string,
  history: readonly DeliveryAttempt[],
  {
    answer,
    ...fields
  }: { answer: string | null } & Pick<
    Updateable<Database['webhook_deliveries']>,
    'state' | 'job_id' | 'next_attempt_at' | 'ended_at'
  >,
): Promise<void> {
  const last = history.at(-1)
  await trx
    .updateTable('webhook_deliveries')
    .set({
      ...fields,
      answer,
      history: JSON.stringify(history),
      ...(last && {
        attempted_at: new Date(last.at),
        duration_ms: last.duration_ms,
        status: last.status,
        problem: last.problem,
      }),
    })
    .where('id', '=', id)
    .execute()
}

/** Writes a success of a webhook. Its time is exact to ten seconds, so that deliveries do not wait for each other. */
export async function markDelivered(trx: Transaction<Database>, id: string): Promise<void> {
  await sql`
    update webhooks set failing_since = null, last_delivered_at = now()
    where id = ${id} and (
      failing_since is not null or last_delivered_at is null
      or last_delivered_at < now() - make_interval(secs => ${DELIVERED_SECONDS})
    )`.execute(trx)
}

/** Writes the first failure of a webhook since its last success. */
export async function markFailing(trx: Transaction<Database>, id: string, at: Date): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ failing_since: at })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .execute()
}

/** Switches a webhook off. False if it is off already. */
export async function disableWebhook(
  trx: Transaction<Database>,
  id: string,
  disabled_reason: WebhookDisabledReason,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('webhooks')
    .set({ is_active: false, disabled_reason, disabled_at: at, version: sql`version + 1` })
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
