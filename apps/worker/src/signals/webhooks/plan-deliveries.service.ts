import { type Event, eventOf, type EventType } from '@switchboard/contract/signals/events'
import { messageOf } from '@switchboard/contract/signals/webhook-messages'
import { DELIVERIES_KEPT_DAYS } from '@switchboard/contract/signals/webhook-deliveries'
import { entriesAfter, type LogEntry } from '@switchboard/database/audit/read-log'
import { databaseTime } from '@switchboard/database/database-clock'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import * as queries from './webhooks.queries.ts'

type PlanDeps = Pick<Deps, 'db' | 'webhooks'>

/** Entries of the log that are read in a transaction. */
const BATCH = 100
/** Transactions for the webhooks at a position, before those at another one have their turn. */
const BATCHES_MAX = 10
const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * Plans deliveries of new events for each webhook, and starts those that have no job and whose turn has come. Webhooks at the same
 * position, which usually are all, read the log together. Any number of workers may call it at once: the position of a webhook
 * is locked by one of them, and moves in the transaction that plans. Returns whether there was work.
 */
export async function planDeliveries({ db, webhooks }: PlanDeps): Promise<boolean> {
  const found = await queries.webhooksWithWork(db)
  for (const group of Map.groupBy(found, ({ seq }) => seq).values()) {
    const ids = group.map(({ webhook_id }) => webhook_id)
    for (let n = 0; n < BATCHES_MAX; n += 1) {
      const isFull = await inTransaction(db, (trx) => planBatch({ webhooks }, trx, ids))
      if (!isFull) break
    }
  }
  return found.length > 0
}

/** Whether there may be more to read. */
async function planBatch(
  deps: Pick<Deps, 'webhooks'>,
  trx: Transaction<Database>,
  ids: readonly string[],
): Promise<boolean> {
  const webhooks = await queries.lockPositions(trx, ids)
  const readers = webhooks.filter(({ is_active }) => is_active)
  const start = Math.min(...readers.map(({ seq }) => seq))
  const entries = readers.length === 0 ? [] : await entriesAfter(trx, start, BATCH)
  const last = entries.at(-1)
  if (last !== undefined) {
    const oldest = (await databaseTime(trx)).getTime() - DELIVERIES_KEPT_DAYS * DAY_MS
    const kept = entries.filter(({ at }) => Date.parse(at) > oldest)
    // Another worker may have moved some of the positions meanwhile.
    const behind = readers.filter(({ seq }) => seq < last.seq)
    const planned = behind.flatMap((webhook) =>
      kept.flatMap((entry) => (entry.seq > webhook.seq ? (deliveryOf(webhook, entry) ?? []) : [])),
    )
    if (planned.length > 0) await queries.insertDeliveries(trx, planned)
    await queries.movePositions(
      trx,
      behind.map(({ id }) => id),
      last.seq,
    )
  }
  const locked = webhooks.map(({ id }) => id)
  await enqueue(deps, trx, await queries.markStarted(trx, locked))
  return entries.length === BATCH
}

/** The delivery of an entry. Null if it is no event, or one that the webhook does not get. */
function deliveryOf(
  { id, format, event_types }: Awaited<ReturnType<typeof queries.lockPositions>>[number],
  entry: LogEntry,
) {
  const event = eventOf(entry)
  if (event === null || !gets({ id, event_types }, event)) return null
  return {
    webhook_id: id,
    seq: entry.seq,
    event_id: event.id,
    event_type: event.type,
    record_id: entry.target_id,
    target_name: entry.target_name,
    body: messageOf(format, event),
    at: entry.at,
  }
}

/** A message about alerts goes to the webhook that their rules name, whichever types that one gets. */
function gets(
  { id, event_types }: { id: string; event_types: readonly EventType[] },
  { type, target }: Event,
): boolean {
  if (type === 'alert.notified') return target.id === id
  return event_types.length === 0 || event_types.includes(type)
}

/** Starts the next delivery of a record, after one that has ended in this transaction. */
export async function startNext(
  deps: Pick<Deps, 'webhooks'>,
  trx: Transaction<Database>,
  delivery: { webhook_id: string; record_id: string },
): Promise<void> {
  await enqueue(deps, trx, await queries.markNext(trx, delivery))
}

async function enqueue(
  { webhooks }: Pick<Deps, 'webhooks'>,
  trx: Transaction<Database>,
  started: Awaited<ReturnType<typeof queries.markStarted>>,
): Promise<void> {
  await webhooks.enqueue(
    trx,
    started.map(({ id: delivery_id, ...job }) => ({ delivery_id, ...job })),
  )
}
