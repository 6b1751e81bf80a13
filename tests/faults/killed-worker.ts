import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect } from '@switchboard/database/connection/connect'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import { type MapsEmulator, startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import { type Kysely, sql } from 'kysely'
import { dataFolder, startWorker } from '#tests/server-process.ts'

// Kills a worker with SIGKILL in the middle of its runs, starts another worker, and checks the end of the runs: `node
// tests/faults/killed-worker.ts --rounds 50 --at-once 5`.

/** Tasks per round with a run that waits for Google at the kill. */
const IN_CALL = 3
/** Tasks per round with a run in any state. */
const ANY_STATE = 3
/** Maximum time from the calls of the waiting runs to the kill, at random. */
const KILL_DELAY_MAX_MS = 300

export type Killed = {
  kills: number
  runs: number
  /** Runs interrupted by the loss of their worker. */
  interrupted: number
  /** From the kill to the end of the last affected run. */
  slowestMs: number
  /** Tasks without exactly one successful run and five new reviews. */
  wrong: string[]
}

/** Kills `rounds` workers over a migrated database, one after the other. */
export async function killWorkers(databaseUrl: string, rounds: number, log: (line: string) => void): Promise<Killed> {
  const db = connect(databaseUrl)
  const emulator = await startMapsEmulator({ now: () => new Date() })
  const options = { databaseUrl, mapsUrl: emulator.url }
  const killed: Killed = { kills: 0, runs: 0, interrupted: 0, slowestMs: 0, wrong: [] }
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const ids = await dueTasks(db, emulator)
      const victim = startWorker(options)
      await victim.ready()
      await until(async () => (await runningIds(db, ids.slice(0, IN_CALL))).length === IN_CALL)
      await sleep(Math.random() * KILL_DELAY_MAX_MS)
      victim.child.kill('SIGKILL')
      const killedAt = performance.now()
      await victim.ended
      const successor = startWorker(options)
      await successor.ready()
      await until(async () => (await unfinished(db, ids)) === 0)
      const ms = performance.now() - killedAt
      successor.child.kill('SIGTERM')
      const { code } = await successor.ended
      if (code !== 0) throw new Error(`The worker ended with ${code} after SIGTERM.`)
      const { interrupted, wrong } = await outcomeOf(db, ids)
      killed.kills += 1
      killed.runs += ids.length
      killed.interrupted += interrupted
      killed.slowestMs = Math.max(killed.slowestMs, ms)
      killed.wrong.push(...wrong)
      log(
        `round ${round}: ${interrupted} interrupted, all done after ${(ms / 1_000).toFixed(1)} s, ${wrong.length} wrong`,
      )
    }
    return killed
  } finally {
    await emulator.close()
    await db.destroy()
  }
}

/** Due tasks. The first `IN_CALL` wait for an answer of Google until the kill. */
async function dueTasks(db: Kysely<Database>, emulator: MapsEmulator): Promise<string[]> {
  const { id: tenant_id } = await makeTenant(db)
  const tasks = Array.from({ length: IN_CALL + ANY_STATE }, async (_, n) => {
    const place_id = `ChIJ${crypto.randomUUID()}`
    if (n < IN_CALL) emulator.script(place_id, ['slow'])
    return await makeTask(db, { tenant_id, extra_data: { place_id }, next_run: sql<Date>`now() - interval '1 second'` })
  })
  return (await Promise.all(tasks)).map(({ id }) => id)
}

async function runningIds(db: Kysely<Database>, taskIds: string[]) {
  return await db
    .selectFrom('runs')
    .select('id')
    .where('task_id', 'in', taskIds)
    .where('outcome', '=', 'running')
    .execute()
}

async function unfinished(db: Kysely<Database>, taskIds: string[]): Promise<number> {
  const ended = await db
    .selectFrom('runs')
    .select('task_id')
    .where('task_id', 'in', taskIds)
    .where('finished_at', 'is not', null)
    .execute()
  return taskIds.length - new Set(ended.map(({ task_id }) => task_id)).size
}

async function outcomeOf(db: Kysely<Database>, taskIds: string[]) {
  const runs = await db.selectFrom('runs').selectAll().where('task_id', 'in', taskIds).execute()
  const reviews = await db.selectFrom('reviews').select('task_id').where('task_id', 'in', taskIds).execute()
  const wrong = taskIds.filter((id) => {
    const own = runs.filter(({ task_id }) => task_id === id)
    const isOnce = own.length === 1 && own[0]?.outcome === 'succeeded' && own[0].reviews_new === 5
    return !isOnce || reviews.filter(({ task_id }) => task_id === id).length !== 5
  })
  return { interrupted: runs.filter(({ interruptions }) => interruptions > 0).length, wrong }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('The condition did not hold within two minutes.')
    await sleep(50)
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '50' }, 'at-once': { type: 'string', default: '5' } },
  })
  const [rounds, atOnce] = [Number(values.rounds), Number(values['at-once'])]
  const worlds = Array.from({ length: atOnce }, async (_, world) => {
    const postgres = await startEmbeddedPostgres({ dataDir: dataFolder(), log: () => undefined })
    const db = connect(postgres.url)
    await migrate(db)
    await db.destroy()
    const killed = await killWorkers(postgres.url, Math.ceil(rounds / atOnce), (line) =>
      console.log(`${world}: ${line}`),
    )
    await postgres.stop()
    return killed
  })
  const all = await Promise.all(worlds)
  const sum = (field: 'kills' | 'runs' | 'interrupted') => all.reduce((total, one) => total + one[field], 0)
  console.log({
    kills: sum('kills'),
    runs: sum('runs'),
    interrupted: sum('interrupted'),
    slowest_s: Math.max(...all.map(({ slowestMs }) => slowestMs)) / 1_000,
    wrong: all.flatMap(({ wrong }) => wrong),
  })
}
