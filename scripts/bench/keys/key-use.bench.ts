import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import { makeManyApiKeys, makeManyTenants } from '@switchboard/testing/factories'
import { type Kysely, sql } from 'kysely'
import { foldUsage, type KeyUsage, writeUsage } from '#apps/ai-api/src/api-keys/key-usage.queries.ts'
import { amount, type Figure, percentile } from '#scripts/bench/measure.ts'
import { createDatabase, withPostgres } from '#scripts/bench/with-postgres.ts'

const KEYS = [1_000, 100_000] as const
const PROCESSES = 50
/** Checks of all processes per second. */
const CHECKS = 25_000
/** As in `key-usage.ts`. */
const WRITE_EVERY_MS = 1_600
const ROUND_MS = 20_000
const SAMPLE_MS = 20
/** Different batches, from which every write draws one. */
const BATCHES = 60

/** Writes of key use by 50 processes at once. Popularity is Zipf, so every batch has the same popular keys. */
export async function benchKeyUse(): Promise<Figure[]> {
  return await withPostgres(
    async (postgresUrl) => {
      const figures: Figure[] = []
      for (const keys of KEYS)
        figures.push(...(await benchWriters(await createDatabase(postgresUrl, `keys_${keys}`), keys)))
      return figures
    },
    { settings: { max_connections: '100' } },
  )
}

async function benchWriters(databaseUrl: string, keys: number): Promise<Figure[]> {
  const db = connect(databaseUrl, { max: PROCESSES, statementTimeoutMs: 300_000 })
  const observer = connect(databaseUrl, { max: 1 })
  try {
    await migrate(db)
    await makeManyTenants(db, 100)
    await makeManyApiKeys(db, keys)
    await sql`vacuum analyze`.execute(db)
    const batches = await makeBatches(db)
    const rows = batches.reduce((sum, { length }) => sum + length, 0) / batches.length
    const until = performance.now() + ROUND_MS
    const times: number[] = []
    let sent = 0
    const runProcess = async () => {
      const writer = randomUUID()
      await sleep(Math.random() * WRITE_EVERY_MS)
      for (let number = 1; performance.now() < until; number += 1) {
        const usages = batches[Math.floor(Math.random() * BATCHES)] ?? []
        const at = performance.now()
        await writeUsage(db, { writer, number, usages, hours: [], origins: [] })
        if ((await foldUsage(db)) > 0) await foldUsage(db)
        const ms = performance.now() - at
        times.push(ms)
        sent += usages.reduce((sum, { count }) => sum + count, 0)
        await sleep(WRITE_EVERY_MS - (ms % WRITE_EVERY_MS))
      }
    }
    const [waiting] = await Promise.all([
      shareOfWaiting(observer, until),
      ...Array.from({ length: PROCESSES }, runProcess),
    ])
    while ((await foldUsage(db)) > 0);
    if ((await countedChecks(db)) !== sent) throw new Error('The sums are not exact.')
    const name = `key use of ${PROCESSES} processes, ${keys} keys`
    const p99 = percentile(
      times.toSorted((one, other) => one - other),
      0.99,
    )
    return [
      amount(`${name}: share of the writing time in which a process waits for another`, waiting, '', 0.1),
      amount(`${name}: write of ${rows.toFixed(0)} rows, p99`, p99, 'ms', WRITE_EVERY_MS),
    ]
  } finally {
    await Promise.all([db.destroy(), observer.destroy()])
  }
}

/** The counts of different intervals of one process. */
async function makeBatches(db: Kysely<Database>): Promise<KeyUsage[][]> {
  const ids = (await db.selectFrom('api_keys').select('id').execute()).map(({ id }) => id)
  const checks = (CHECKS / PROCESSES) * (WRITE_EVERY_MS / 1_000)
  return Array.from({ length: BATCHES }, () => {
    const usages = new Map<string, KeyUsage>()
    for (let n = 0; n < checks; n += 1) {
      // Zipf with the exponent 1: the logarithm of the rank is uniform.
      const id = ids[Math.floor(ids.length ** Math.random()) - 1] ?? ''
      usages.getOrInsertComputed(id, () => ({
        id,
        environment: 'live',
        outcome: 'valid',
        count: 0,
        ageMs: 5,
      })).count += 1
    }
    return [...usages.values()]
  })
}

/** The share of the active connections that wait for a lock of another one, sampled until then. */
async function shareOfWaiting(db: Kysely<Database>, until: number): Promise<number> {
  const sum = { active: 0, waiting: 0 }
  while (performance.now() < until) {
    const { rows } = await sql<{ active: number; waiting: number }>`
      select count(*) as active, count(*) filter (where wait_event_type = 'Lock') as waiting
      from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`.execute(db)
    sum.active += rows[0]?.active ?? 0
    sum.waiting += rows[0]?.waiting ?? 0
    await sleep(SAMPLE_MS)
  }
  return sum.waiting / sum.active
}

async function countedChecks(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('api_key_outcomes')
    .select((eb) => eb.fn.sum<number>('count').as('count'))
    .executeTakeFirstOrThrow()
  return count
}
