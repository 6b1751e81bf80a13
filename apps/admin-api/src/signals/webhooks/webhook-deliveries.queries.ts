import {
  type DeliveryState,
  webhookDelivery,
  type WebhookDeliveryListQuery,
} from '@switchboard/contract/signals/webhook-deliveries'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import * as z from 'zod/mini'
import { whenSet } from '#src/lists/filters.queries.ts'

const COLUMNS = z.keyof(webhookDelivery).options

/** The delivery log. */
export const listedDeliveries = { matching: matchingDeliveries }

function matchingDeliveries(db: Kysely<Database>, query: FiltersOf<WebhookDeliveryListQuery>) {
  const { webhook_id, state, event_type, from, to } = query
  return db
    .selectFrom('webhook_deliveries')
    .select(COLUMNS)
    .$call(whenSet(webhook_id, (rows, id) => rows.where('webhook_id', '=', id)))
    .$call(whenSet(state, (rows, states) => rows.where('state', 'in', states)))
    .$call(whenSet(event_type, (rows, type) => rows.where('event_type', '=', type)))
    .$call(whenSet(from, (rows, day) => rows.where(sql<boolean>`at >= ${day}::date::timestamp at time zone 'UTC'`)))
    .$call(whenSet(to, (rows, day) => rows.where(sql<boolean>`at < (${day}::date + 1)::timestamp at time zone 'UTC'`)))
}

export async function deliveryById(db: Kysely<Database>, id: string) {
  return await db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
    .select(COLUMNS.map((column) => `webhook_deliveries.${column}` as const))
    .select(['body', 'answer', 'history', 'format'])
    .where('webhook_deliveries.id', '=', id)
    .executeTakeFirst()
}

/** Locks a delivery with the name of its webhook. */
export async function lockDelivery(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
    .select(['webhook_deliveries.id', 'webhook_id', 'event_id', 'url', 'description'])
    .where('webhook_deliveries.id', '=', id)
    .forUpdate('webhook_deliveries')
    .executeTakeFirst()
}

/** Inserts a delivery that a worker starts within a second. */
export async function insertDelivery(trx: Transaction<Database>, row: Insertable<Database['webhook_deliveries']>) {
  return await trx.insertInto('webhook_deliveries').values(row).returning(COLUMNS).executeTakeFirstOrThrow()
}

/** Without a job, a worker starts it within a second. A job of an earlier plan then does nothing. */
const WAITING = { state: 'waiting', job_id: null, ended_at: null, began_at: null, next_attempt_at: null } as const

/** Makes a delivery wait for a worker. */
export async function restartDelivery(trx: Transaction<Database>, id: string) {
  return await trx
    .updateTable('webhook_deliveries')
    .set(WAITING)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Makes the deliveries of events since a time wait for a worker, except tests. Returns their number. */
export async function restartDeliveries(
  trx: Transaction<Database>,
  webhook_id: string,
  { since, states }: { since: Date; states: DeliveryState[] },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_deliveries')
    .set(WAITING)
    .where('webhook_id', '=', webhook_id)
    .where('at', '>=', since.toISOString())
    .where('state', 'in', states)
    .where('seq', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Gives the deliveries that have not ended their full time again. */
export async function renewDeliveries(trx: Transaction<Database>, webhook_id: string): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ began_at: null })
    .where('webhook_id', '=', webhook_id)
    .where('ended_at', 'is', null)
    .where('began_at', 'is not', null)
    .execute()
}
