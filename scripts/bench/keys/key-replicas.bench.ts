import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@switchboard/database/connection/connect'
import type { Database } from '@switchboard/database/tables'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import { makeSecret, makeTenant } from '@switchboard/testing/factories'
import { type Kysely, sql } from 'kysely'
import { installedPostgres, startInstalledPostgres } from '#tests/installed-postgres.ts'
import { dataFolder, type ServerProcess, startAiApi } from '#tests/server-process.ts'
import { type LoadResult, medianOf, runLoad } from '#scripts/bench/load.ts'
import { type Figure, ratio } from '#scripts/bench/measure.ts'
import { clusterMs } from '#scripts/bench/processor-time.ts'
import { VERIFY_PATH } from './keys-server.ts'

const ROUNDS = 5
/** Keys of a round. Each is checked once, so the cache has no key. */
const KEYS = 10_000
const KEYS_PER_INSERT = 5_000
const CONNECTIONS = 64
/** The replica has new keys, and counts of key use are written, after this time. */
const SETTLE_MS = 3_000

/**
 * Checks of unknown keys by two ai-apis on the same machine: the first reads on the primary, the second on a replica. Needs the
 * PostgreSQL of Debian.
 */
export async function benchKeyReplicas(): Promise<Figure[]> {
  const [bin] = installedPostgres()
  if (bin === undefined) {
    console.warn('PostgreSQL of Debian is missing, so nothing is measured with a replica.')
    return []
  }
  const primary = await startInstalledPostgres(bin)
  const standby = await startInstalledPostgres(bin, primary.url)
  await migrateDatabase(primary.url)
  const db = connect(primary.url, { onLost: () => undefined })
  const folder = dataFolder()
  const aiApis = {
    primary: startAiApi({ databaseUrl: primary.url }),
    replica: startAiApi({ databaseUrl: primary.url, settings: { DATABASE_READ_URLS: standby.url } }),
  }
  try {
    await Promise.all(Object.values(aiApis).map(({ ready }) => ready()))
    const [postmaster = 0] = primary.processes()
    const results: Record<keyof typeof aiApis, Round[]> = { primary: [], replica: [] }
    const bodies = path.join(folder, 'bodies.jsonl')
    for (let round = 0; round < ROUNDS; round += 1) {
      await writeFile(bodies, await makeKeys(db))
      await sleep(SETTLE_MS)
      for (const name of ['primary', 'replica'] as const)
        results[name].push(await measure(aiApis[name], { bodies, postmaster }))
    }
    return figuresOf(results)
  } finally {
    for (const { child } of Object.values(aiApis)) child.kill('SIGTERM')
    await Promise.all(Object.values(aiApis).map(({ ended }) => ended))
    await db.destroy()
    await rm(folder, { recursive: true })
    for (const server of [standby, primary]) await server.stop()
  }
}

/** `primaryMs` is the processor time of the primary for a check, `onReplica` the number of reads of a replica. */
type Round = LoadResult & { primaryMs: number; onReplica: number }

async function measure(
  aiApi: ServerProcess,
  { bodies, postmaster }: { bodies: string; postmaster: number },
): Promise<Round> {
  const before = { ms: clusterMs(postmaster), reads: await readsOnReplica(aiApi) }
  const load = await runLoad({
    port: Number(new URL(await aiApi.ready()).port),
    path: VERIFY_PATH,
    bodies: { file: bodies },
    popularity: 'each',
    connections: CONNECTIONS,
    durationMs: 120_000,
  })
  if (load.failures > 0) throw new Error(`${load.failures} checks were refused.`)
  // The counts are written too.
  await sleep(SETTLE_MS)
  return {
    ...load,
    primaryMs: (clusterMs(postmaster) - before.ms) / KEYS,
    onReplica: (await readsOnReplica(aiApi)) - before.reads,
  }
}

async function readsOnReplica(aiApi: ServerProcess): Promise<number> {
  const [, address = ''] = /Metrics and API documentation: ([^\s"]+)/.exec(aiApi.output()) ?? []
  const text = await (await fetch(new URL('/metrics', address))).text()
  return Number(/^database_replica_reads_total\{result="replica"\} (\d+)/m.exec(text)?.[1] ?? 0)
}

function figuresOf({ primary, replica }: Record<'primary' | 'replica', Round[]>): Figure[] {
  const sum = (rounds: Round[], field: 'primaryMs' | 'onReplica') =>
    rounds.reduce((total, round) => total + round[field], 0)
  const share = sum(replica, 'onReplica') / (KEYS * ROUNDS)
  const [onPrimary, onReplica] = [medianOf(primary), medianOf(replica)]
  return [
    {
      what: 'unknown keys: reads of a replica for a check (one read has all keys of a turn)',
      measured: share.toFixed(3),
      figure: '> 0',
      holds: share > 0,
    },
    ratio(
      'unknown keys: processor time of the primary for a check, reads on a replica / on the primary',
      sum(replica, 'primaryMs') / ROUNDS,
      sum(primary, 'primaryMs') / ROUNDS,
      0.9,
    ),
    ratio('unknown keys: p50, reads on a replica / on the primary', onReplica.p50, onPrimary.p50, 1.5),
    ratio('unknown keys: p99, reads on a replica / on the primary', onReplica.p99, onPrimary.p99, 2),
  ]
}

/** New keys as bodies of checks, in lines. */
async function makeKeys(db: Kysely<Database>): Promise<string> {
  const { id: tenant_id } = await makeTenant(db)
  const lines: string[] = []
  while (lines.length < KEYS) {
    const rows = Array.from({ length: KEYS_PER_INSERT }, () => {
      const { api_key, ...kept } = makeSecret()
      lines.push(JSON.stringify({ api_key }))
      return { ...kept, tenant_id, name: 'Bench', allowed_origins: [] }
    })
    await db.insertInto('api_keys').values(rows).execute()
  }
  await sql`vacuum analyze api_keys`.execute(db)
  return lines.join('\n')
}
