import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@switchboard/database/connection/connect'
import { makeManyTasks, makeManyTenants } from '@switchboard/testing/factories'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import { type Kysely, sql } from 'kysely'
import { startWorker } from '#tests/server-process.ts'
import { amount, type Figure, rate } from './measure.ts'
import { withPostgres } from './with-postgres.ts'

const TASKS = 10_000
const TENANTS = 1_000

/** 10,000 tasks due at once and two workers: time until all are enqueued, and speed of the runs. */
export async function benchTasks(): Promise<Figure[]> {
  return await withPostgres(benchDueTasks)
}

async function benchDueTasks(databaseUrl: string): Promise<Figure[]> {
  const db = connect(databaseUrl, { statementTimeoutMs: 600_000, onLost: () => undefined })
  const emulator = await startMapsEmulator({ now: () => new Date() })
  try {
    await migrate(db)
    await makeDueTasks(db)
    const workers = [0, 1].map(() => startWorker({ databaseUrl, mapsUrl: emulator.url }))
    const startedAt = performance.now()
    await until(async () => (await runCounts(db)).all >= TASKS)
    const enqueueSeconds = (performance.now() - startedAt) / 1_000
    await until(async () => (await runCounts(db)).succeeded >= TASKS)
    for (const { child } of workers) child.kill('SIGTERM')
    await Promise.all(workers.map(({ ended }) => ended))
    const { all, once, seconds } = await runCounts(db)
    return [
      amount(`${TASKS} due tasks enqueued by two workers, their start included`, enqueueSeconds, 's', 10),
      amount('tasks not run exactly once, at the first attempt', all - once, 'tasks', 0),
      rate('runs against the emulator, two workers', TASKS / seconds, 'per s', 100),
    ]
  } finally {
    await emulator.close()
    await db.destroy()
  }
}

async function makeDueTasks(db: Kysely<Database>): Promise<void> {
  await makeManyTenants(db, TENANTS)
  await sql`update tenants set status = 'active' where status <> 'active'`.execute(db)
  await makeManyTasks(db, TASKS)
  // The next time is half a day off, so that no task comes due again during the measurement.
  await sql`
    update tasks set created_at = now() - interval '60 days 12 hours', next_run = now() - interval '1 minute'`.execute(
    db,
  )
  await sql`vacuum analyze tasks`.execute(db)
}

/** Runs, successful runs, tasks with a single run of a single attempt, and the seconds from first to last. */
async function runCounts(db: Kysely<Database>) {
  type Counts = { all: number; succeeded: number; once: number; seconds: number }
  const { rows } = await sql<Counts>`
    select count(*) as all, count(*) filter (where outcome = 'succeeded') as succeeded,
      count(distinct task_id) filter (where outcome = 'succeeded' and attempts = 1) as once,
      extract(epoch from max(finished_at) - min(started_at)) as seconds
    from runs`.execute(db)
  return rows[0] ?? { all: 0, succeeded: 0, once: 0, seconds: Number.NaN }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50)
}
