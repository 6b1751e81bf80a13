import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { tenantList } from '@switchboard/contract/tenants'
import { connect } from '@switchboard/database/connection/connect'
import type { Database } from '@switchboard/database/tables'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { type Kysely, sql } from 'kysely'
import { documentedPoolerSettings, startPgBouncer } from '#tests/pgbouncer.ts'
import { freePort } from '#tests/proxies.ts'
import { dataFolder, SHARED_SECRET, startAiApi, startProcess, startWorker, tokenAt } from '#tests/server-process.ts'
import { startKeyLoad } from './key-load.ts'
import { runNewTask } from './run-task.ts'

// Counts the connections of many processes under load, behind PgBouncer in transaction mode with the configuration of
// docs/operate/high-availability.md: `node tests/faults/many-processes.ts --admin-apis 8 --ai-apis 8 --workers 4`.

const POOLER = documentedPoolerSettings('operate/high-availability.md')
/** Connections of PgBouncer to PostgreSQL. */
const POOL = Number(/\bdefault_pool_size = (\d+)/.exec(POOLER.join('\n'))?.[1])
const LISTS_PER_ADMIN_API = 8
/** Tasks run by an admin. */
const RUNS = 8
const PASSWORD = 'twenty processes, one database'

type Counts = { adminApis: number; aiApis: number; workers: number }

/**
 * The most connections that these processes may have: those through PgBouncer, those of the job queues, and the
 * listening ones.
 */
export function allowed({ adminApis, aiApis, workers }: Counts) {
  return { pooled: POOL, jobs: adminApis + aiApis + 5 * workers, listening: aiApis + workers }
}

/** Runs the processes over a migrated or empty database. Returns the most connections at once, and failed answers. */
export async function runProcesses(directUrl: string, counts: Counts, loadMs: number) {
  const pooler = await startPgBouncer(directUrl, POOLER)
  const emulator = await startMapsEmulator({ now: () => new Date() })
  const urls = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: directUrl, WEBHOOK_SECRET: SHARED_SECRET }
  const repeated = <Result>(count: number, make: () => Result) => Array.from({ length: count }, make)
  const port = String(await freePort())
  const settings = { ...urls, SUPER_ADMIN_PASSWORD: PASSWORD, AI_API_URL: `http://127.0.0.1:${port}` }
  const adminApis = repeated(counts.adminApis, () => startProcess(settings, 'apps/admin-api/src/main.ts'))
  const aiApis = Array.from({ length: counts.aiApis }, (_, n) =>
    startAiApi({ databaseUrl: pooler.url, settings: { ...urls, ...(n === 0 && { AI_PORT: port }) } }),
  )
  const workers = repeated(counts.workers, () =>
    startWorker({ databaseUrl: pooler.url, mapsUrl: emulator.url, settings: urls }),
  )
  const processes = [...adminApis, ...aiApis, ...workers]
  const db = connect(directUrl, { max: 1, isPatient: true })
  try {
    await Promise.all(processes.map(({ ready }) => ready()))
    const addresses = await Promise.all(adminApis.map(({ ready }) => ready()))
    const tokens = await Promise.all(addresses.map((address) => tokenAt(address, PASSWORD)))
    const { id: tenant_id } = await makeTenant(db)
    const { api_key } = await makeApiKey(db, { tenant_id })

    const most = { pooled: 0, jobs: 0, listening: 0, all: 0 }
    const failures: string[] = []
    const until = performance.now() + loadMs
    const probe = { secret: api_key, kind: 'good', disablingAt: Infinity, disabledAt: Infinity } as const
    const checks = startKeyLoad(await Promise.all(aiApis.map(({ ready }) => ready())), [probe])
    const lists = addresses.flatMap((address, n) =>
      repeated(LISTS_PER_ADMIN_API, async () => {
        const headers = { authorization: `Bearer ${tokens[n]}` }
        while (performance.now() < until) {
          const answer = await fetch(`${address}${tenantList.list.url}?limit=10`, { headers })
          const text = await answer.text()
          if (!answer.ok) failures.push(`${answer.status} ${text}`)
        }
      }),
    )
    const ran = new AbortController()
    const runAll = async () => {
      for (let n = 0; n < RUNS; n += 1) {
        const answer = await runNewTask(db, addresses[0] ?? '', tokens[0] ?? '')
        if (!answer.startsWith('200 ')) failures.push(`run: ${answer}`)
      }
    }
    const runs = runAll().finally(() => ran.abort())
    while (performance.now() < until || !ran.signal.aborted) {
      const now = await connectionsOf(db)
      for (const name of ['pooled', 'jobs', 'listening', 'all'] as const) most[name] = Math.max(most[name], now[name])
      await sleep(20)
    }
    await Promise.all([...lists, runs])
    const answers = await checks.stop()
    failures.push(...answers.filter(({ status }) => status !== 200).map(({ status }) => `check ${status}`))
    return { most, checks: answers.length, failures }
  } finally {
    await db.destroy()
    for (const { child } of processes) child.kill('SIGKILL')
    await Promise.all(processes.map(({ ended }) => ended))
    await Promise.all([pooler.stop(), emulator.close()])
  }
}

/** The connections of this database, without the one that asks. */
async function connectionsOf(db: Kysely<Database>) {
  const { rows } = await sql<{ pooled: number; jobs: number; listening: number; all: number }>`
    select count(*) filter (where application_name = 'switchboard') as pooled,
      count(*) filter (where application_name = 'switchboard jobs') as jobs,
      count(*) filter (where application_name = 'switchboard listener') as listening,
      count(*) as all
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  return rows[0] ?? { pooled: 0, jobs: 0, listening: 0, all: 0 }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      'admin-apis': { type: 'string', default: '8' },
      'ai-apis': { type: 'string', default: '8' },
      workers: { type: 'string', default: '4' },
    },
  })
  const counts = {
    adminApis: Number(values['admin-apis']),
    aiApis: Number(values['ai-apis']),
    workers: Number(values.workers),
  }
  const postgres = await startEmbeddedPostgres({ dataDir: dataFolder(), log: () => undefined })
  const { failures, ...result } = await runProcesses(postgres.url, counts, 20_000)
  await postgres.stop()
  console.log({ allowed: allowed(counts), ...result, failed: failures.length, first: failures.slice(0, 10) })
}
