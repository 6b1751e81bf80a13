import { randomBytes } from 'node:crypto'
import { FREQUENCIES, nextRuns } from '@switchboard/contract/tasks/schedule'
import { connect } from '@switchboard/database/connection/connect'
import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { createLogger } from '@switchboard/server/process/log'
import { createCounts } from '@switchboard/server/process/metrics'
import { COUNTED_DELIVERIES, COUNTED_MAILS, COUNTED_RUNS, type Deps } from '#src/deps.ts'
import { WORKER_DEFAULTS } from '#src/testing/worker-defaults.ts'
import { enqueueDueTasks } from './due-tasks.service.ts'

// Due times follow the database's clock. This file's `now()` precedes PostgreSQL's in the search path.

const MINUTE_MS = 60_000
const STEP_MS = 120 * MINUTE_MS

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
await sql`create schema clock`.execute(db)
await sql`create table clock.hands (at timestamptz not null)`.execute(db)
await sql`insert into clock.hands values (now())`.execute(db)
await sql`create function clock.now() returns timestamptz language sql stable as 'select at from clock.hands'`.execute(
  db,
)
const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
await sql`alter database ${sql.id(rows[0]?.name ?? '')} set search_path = clock, pg_catalog, public`.execute(db)
const stepped = connect(url)
afterAll(async () => {
  await stepped.destroy()
  await drop()
})

const deps: Deps = {
  db: stepped,
  log: createLogger('silent'),
  queue: { enqueue: async () => undefined, hasJob: async () => true },
  places: { placeDetails: async () => Promise.reject(new Error('This test has no maps.')) },
  mails: { enqueue: async () => undefined },
  webhooks: { enqueue: async () => undefined },
  ...WORKER_DEFAULTS,
  publicUrl: undefined,
  randomBytes,
  firstRetryMs: 500,
  random: Math.random,
  runCounts: createCounts('outcome', COUNTED_RUNS),
  mailCounts: createCounts('outcome', COUNTED_MAILS),
  webhookCounts: createCounts('outcome', COUNTED_DELIVERIES),
}

/** Sets the database's clock, enqueues due tasks as the worker does every minute, and ends the started runs. */
async function lookAt(ms: number): Promise<number> {
  await sql`update clock.hands set at = ${new Date(ms)}`.execute(db)
  const enqueued = await enqueueDueTasks(deps)
  await db
    .updateTable('runs')
    .set({ outcome: 'succeeded', finished_at: new Date() })
    .where('finished_at', 'is', null)
    .execute()
  return enqueued
}

const ANCHORS = [
  ['the 31st', '2026-01-31T10:00:00.000Z'],
  ['a leap day', '2024-02-29T00:30:00.000Z'],
  ['the night in which clocks go back', '2026-10-25T00:45:00.000Z'],
  ['the night in which clocks go forward', '2026-03-29T01:15:00.000Z'],
] as const
const cases = ANCHORS.flatMap(([name, anchor]) => FREQUENCIES.map((frequency) => [frequency, name, anchor] as const))

test.for(cases)('%s from %s: a clock that steps by two hours runs each time once', async ([frequency, , anchor]) => {
  await db.deleteFrom('tasks').execute()
  const { id: tenant_id } = await makeTenant(db)
  const times = nextRuns(
    { created_at: anchor, frequency, run_time: null, time_zone: null },
    anchor,
    frequency === 'monthly' ? 14 : 5,
  )
  const first = { created_at: new Date(anchor), next_run: new Date(times[0] ?? anchor) }
  await makeTask(db, { tenant_id, frequency, ...first })
  for (const [n, time] of times.entries()) {
    const due = Date.parse(time)
    expect(await lookAt(due - MINUTE_MS)).toBe(0)
    // The clock is behind at first, then steps ahead and back again; every second time in the opposite order.
    const looks =
      n % 2 === 0
        ? [due - STEP_MS, due + MINUTE_MS, due + STEP_MS, due - MINUTE_MS, due + MINUTE_MS]
        : [due - MINUTE_MS + STEP_MS, due - MINUTE_MS, due + MINUTE_MS, due + MINUTE_MS - STEP_MS, due + 2 * MINUTE_MS]
    let runs = 0
    for (const at of looks) runs += await lookAt(at)
    expect([time, runs]).toEqual([time, 1])
  }
})
