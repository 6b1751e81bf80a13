import type { DeliveryAttempt } from '@switchboard/contract/signals/webhook-deliveries'
import type { WebhookDisabledReason } from '@switchboard/contract/signals/webhooks'
import { prepared } from '@switchboard/database/connection/prepared'
import type { Database } from '@switchboard/database/tables'
import { CompiledQuery, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'

/** Deliveries of a webhook that are started at once. */
const STARTED_MAX = 500
/** The time of a success is written at most this often. */
const DELIVERED_SECONDS = 10

/** The webhooks with entries to read, or with deliveries to start. */
export async function webhooksWithWork(db: Kysely<Database>): Promise<{ webhook_id: string; seq: number }[]> {
  const { rows } = await sql<{ webhook_id: string; seq: number }>`
    select webhook_id, position.seq from webhook_positions as position join webhooks on webhooks.id = webhook_id
    where (is_active and position.seq < (select seq from audit_head)) or exists (
      select 1 from webhook_deliveries as delivery
      where delivery.webhook_id = position.webhook_id and ended_at is null and job_id is null
        and (is_active or delivery.seq is null)
    )
    order by webhooks.created_at, webhook_id`.execute(db)
  return rows
}

/** Locks the positions of webhooks, except those that another worker has and webhooks that are gone. */
export async function lockPositions(trx: Transaction<Database>, ids: readonly string[]) {
  return await trx
    .selectFrom('webhooks')
    .innerJoin('webhook_positions', 'webhook_id', 'webhooks.id')
    .select(['webhooks.id', 'seq', 'is_active', 'format', 'event_types'])
    .where('webhook_id', 'in', ids)
    .forKeyShare('webhooks')
    .forUpdate('webhook_positions')
    .skipLocked()
    .execute()
}

export async function movePositions(trx: Transaction<Database>, ids: readonly string[], seq: number): Promise<void> {
  await trx.updateTable('webhook_positions').set({ seq }).where('webhook_id', 'in', ids).execute()
}

type NewDelivery = {
  webhook_id: string
  seq: number
  event_id: string
  event_type: string
  record_id: string | null
  target_name: string | null
  body: string
  at: string
}

/** Inserts deliveries, as many as there are. Those without a record wait for no other. */
export async function insertDeliveries(trx: Transaction<Database>, deliveries: readonly NewDelivery[]): Promise<void> {
  await sql`
    insert into webhook_deliveries (webhook_id, seq, event_id, event_type, record_id, target_name, body, at)
    select webhook_id, seq, event_id, event_type, coalesce(record_id, gen_random_uuid()), target_name, body, at
    from json_to_recordset(${JSON.stringify(deliveries)}::json) as planned (
      webhook_id uuid, seq bigint, event_id text, event_type text, record_id uuid, target_name text, body text, at timestamptz
    )`.execute(trx)
}

type Started = { id: string; webhook_id: string; job_id: string }

/**
 * Marks the oldest unended delivery of each record as having a job, unless another one of the record has one. While a webhook is off,
 * only its tests are started. Returns the marked ones.
 */
export async function markStarted(trx: Transaction<Database>, ids: readonly string[]): Promise<Started[]> {
  const { rows } = await sql<Started>`
    with heads as (
      select head.id from webhooks cross join lateral (
        select distinct on (delivery.record_id) delivery.id
        from webhook_deliveries as delivery
        where delivery.webhook_id = webhooks.id and ended_at is null and job_id is null
          and (is_active or delivery.seq is null)
          and not exists (
            select 1 from webhook_deliveries as earlier
            where earlier.webhook_id = delivery.webhook_id and earlier.record_id = delivery.record_id
              and earlier.job_id is not null
          )
        order by delivery.record_id, delivery.seq
        limit ${STARTED_MAX}
      ) as head
      where webhooks.id = any(${ids}::uuid[])
    )
    update webhook_deliveries set job_id = gen_random_uuid() where id in (select id from heads) and job_id is null
    returning id, webhook_id, job_id`.execute(trx)
  return rows
}

const NEXT_OF_RECORD = prepared(`
  update webhook_deliveries set job_id = gen_random_uuid() where id = (
    select id from webhook_deliveries
    where webhook_id = $1 and record_id = $2 and ended_at is null and job_id is null order by seq limit 1
  ) and job_id is null
  returning id, webhook_id, job_id`)

/** Marks the next delivery of a record as having a job, after one that has ended in this transaction. Returns it, if there is one. */
export async function markNext(
  trx: Transaction<Database>,
  { webhook_id, record_id }: { webhook_id: string; record_id: string },
): Promise<Started[]> {
  const { rows } = await trx.executeQuery<Started>(CompiledQuery.raw(NEXT_OF_RECORD, [webhook_id, record_id]))
  return rows
}

type Job = { delivery_id: string; job_id: string }

const ATTEMPT = prepared(`
  select webhook_id, seq, event_id, body, format, url, is_active, secret,
    case when old_secret_until > now() then old_secret end as old_secret, now()::timestamptz(3) as began
  from webhook_deliveries join webhooks on webhooks.id = webhook_id
  where webhook_deliveries.id = $1 and job_id = $2`)

type Attempt = Pick<Selectable<Database['webhook_deliveries']>, 'webhook_id' | 'seq' | 'event_id' | 'body'> &
  Pick<Selectable<Database['webhooks']>, 'format' | 'url' | 'is_active' | 'secret' | 'old_secret'> & { began: string }

/** What an attempt sends, and the time at which it begins. Undefined if the delivery is gone or has another job. */
export async function attemptOf(db: Kysely<Database>, { delivery_id, job_id }: Job): Promise<Attempt | undefined> {
  const { rows } = await db.executeQuery<Attempt>(CompiledQuery.raw(ATTEMPT, [delivery_id, job_id]))
  return rows[0]
}

const LOCKED_DELIVERY = prepared(`
  select delivery.id, webhook_id, seq, record_id, began_at, history, url, description, failing_since,
    now()::timestamptz(3) as now
  from webhooks join webhook_deliveries as delivery on webhook_id = webhooks.id
  where delivery.id = $1 and job_id = $2 for key share of webhooks for update of delivery`)

type LockedDelivery = Pick<
  Selectable<Database['webhook_deliveries']>,
  'id' | 'webhook_id' | 'seq' | 'record_id' | 'began_at' | 'history'
> &
  Pick<Selectable<Database['webhooks']>, 'url' | 'description' | 'failing_since'> & { now: string }

/**
 * Locks the delivery of a job. The webhook is locked before, as its deletion does, so that both never wait for each other. Undefined
 * if the delivery is gone or has another job.
 */
export async function lockDelivery(
  trx: Transaction<Database>,
  { delivery_id, job_id }: Job,
): Promise<LockedDelivery | undefined> {
  const { rows } = await trx.executeQuery<LockedDelivery>(CompiledQuery.raw(LOCKED_DELIVERY, [delivery_id, job_id]))
  return rows[0]
}

/** Takes the job from a delivery whose webhook is off. */
export async function holdDelivery(trx: Transaction<Database>, { delivery_id, job_id }: Job): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ job_id: null, next_attempt_at: null })
    .where('id', '=', delivery_id)
    .where('job_id', '=', job_id)
    .execute()
}

/** Writes the result of an attempt, which is the last one of `history`, and the state that the delivery has now. */
export async function recordAttempt(
  trx: Transaction<Database>,
  id: string,
  { history, ...attempt }: { history: readonly DeliveryAttempt[]; answer: string | null; began_at: Date },
  state: Pick<Updateable<Database['webhook_deliveries']>, 'state' | 'job_id' | 'next_attempt_at' | 'ended_at'>,
): Promise<void> {
  const last = history.at(-1)
  await trx
    .updateTable('webhook_deliveries')
    .set({
      ...state,
      ...attempt,
      attempts: sql`attempts + 1`,
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
