import { setTimeout as sleep } from 'node:timers/promises'
import { endOfLog } from '@switchboard/database/audit/read-log'
import type { Database } from '@switchboard/database/tables'
import { makeTenant } from '@switchboard/testing/factories'
import { makeWebhook } from '@switchboard/testing/webhook-factory'
import { type Kysely, sql } from 'kysely'
import { type Figure, percentile, ratio } from '#scripts/bench/measure.ts'
import { startWorker } from '#tests/server-process.ts'
import { changeTenant, writeEntries } from './change-tenant.ts'
import { startQuickReceiver } from './receiver.ts'

const WEBHOOKS = [0, 1, 20] as const
/** Rounds in alternation, and the changes of a round. */
const ROUNDS = 4
const CHANGES = 60
/**
 * Part of what a worker can deliver that the changes ask of it. While it sends, it shares the cores with the changes: from a half
 * on, the median is of changes beside deliveries, and tells of the number of cores.
 */
const USED = 0.25
/** Growth of a change with webhooks. */
const GROWTH_MAX = 1.1
/** Deliveries of a burst, and the least that a worker sends per second. */
const BURST = 2_000
const LEAST_PER_SECOND = 50

/** The time of a change with 0, 1 and 20 webhooks, and the deliveries of a worker per second to 1 and to 20. */
export async function benchDeliveries(db: Kysely<Database>, databaseUrl: string): Promise<Figure[]> {
  const receiver = await startQuickReceiver()
  const worker = startWorker({ databaseUrl, settings: { WEBHOOK_NETWORKS: '127.0.0.0/8' } })
  try {
    await worker.ready()
    const most = WEBHOOKS[WEBHOOKS.length - 1] ?? 0
    const ids: string[] = []
    for (let n = 0; n < most; n += 1) ids.push((await makeWebhook(db, { url: receiver.url, is_active: false })).id)
    const { id: tenant_id } = await makeTenant(db)
    // The first burst warms up.
    await burst(db, ids)
    const [toOne, toMost] = [await burst(db, ids.slice(0, 1)), await burst(db, ids)]
    const pauseMs = (1_000 * most) / (USED * toMost)
    const times = WEBHOOKS.map((): number[] => [])
    for (let round = -1; round < ROUNDS; round += 1)
      for (const [n, webhooks] of WEBHOOKS.entries()) {
        await switchOn(db, ids.slice(0, webhooks))
        for (let change = 0; change < CHANGES; change += 1) {
          const started = performance.now()
          await changeTenant(db, tenant_id)
          // The first round warms up.
          if (round >= 0) times[n]?.push(performance.now() - started)
          await sleep(pauseMs)
        }
        await untilDelivered(db)
      }
    const [none = Number.NaN, one = Number.NaN, twenty = Number.NaN] = times.map((each) =>
      percentile(
        each.toSorted((a, b) => a - b),
        0.5,
      ),
    )
    return [
      ratio('change with 1 webhook / without: p50', one, none, GROWTH_MAX),
      ratio('change with 20 webhooks / without: p50', twenty, none, GROWTH_MAX),
      pace(toOne, 1),
      pace(toMost, most),
    ]
  } finally {
    worker.child.kill('SIGTERM')
    await worker.ended
    receiver.stop()
  }
}

/** Switches on only these webhooks, from the end of the log on. */
async function switchOn(db: Kysely<Database>, ids: readonly string[]): Promise<void> {
  const seq = await endOfLog(db)
  await db.updateTable('webhook_positions').set({ seq }).execute()
  await db
    .updateTable('webhooks')
    .set({ is_active: sql<boolean>`id = any(${ids}::uuid[])` })
    .execute()
}

/** Sends events about as many records, and returns the deliveries of the worker per second. */
async function burst(db: Kysely<Database>, ids: readonly string[]): Promise<number> {
  await switchOn(db, ids)
  const started = performance.now()
  await writeEntries(db, BURST / ids.length)
  await untilDelivered(db)
  return BURST / ((performance.now() - started) / 1_000)
}

function pace(perSecond: number, webhooks: number): Figure {
  return {
    what: `deliveries per s of one worker, to ${webhooks} ${webhooks === 1 ? 'webhook' : 'webhooks'}`,
    measured: perSecond.toFixed(0),
    figure: `≥ ${LEAST_PER_SECOND}`,
    holds: perSecond >= LEAST_PER_SECOND,
  }
}

/** Waits until every webhook that is on has read the log and delivered everything. */
async function untilDelivered(db: Kysely<Database>): Promise<void> {
  for (;;) {
    const end = await endOfLog(db)
    const behind = await db
      .selectFrom('webhook_positions')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
      .select('webhook_id')
      .where('is_active', '=', true)
      .where('seq', '<', end)
      .execute()
    const [unsealed, waiting] = [
      await db.selectFrom('audit_unsealed').select('id').limit(1).execute(),
      await db.selectFrom('webhook_deliveries').select('id').where('ended_at', 'is', null).limit(1).execute(),
    ]
    if (behind.length + unsealed.length + waiting.length === 0) return
    await sleep(50)
  }
}
