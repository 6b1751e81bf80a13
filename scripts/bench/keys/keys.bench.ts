import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@switchboard/database/connection/connect'
import { makeApiKey, makeManyTenants, makeSecret } from '@switchboard/testing/factories'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { startAiApi } from '#tests/server-process.ts'
import { adminApiDeps, authorizationOf } from '#scripts/bench/admin-api-deps.ts'
import { type ServerKind, startServer, VERIFY_PATH } from '#scripts/bench/ai-api-server.ts'
import { byRound, type Load, type LoadResult, runLoad } from '#scripts/bench/load.ts'
import { amount, type Figure, percentile } from '#scripts/bench/measure.ts'
import { withPostgres } from '#scripts/bench/with-postgres.ts'

const KEYS = 100_000
const TENANTS = 1_000
const ROUNDS = 9
/**
 * Minimum shares of the bare route's answers. Zipf is the realistic distribution. With a uniform distribution nearly every
 * check counts in a separate row, and PostgreSQL writes on the same cores.
 */
const FLOORS = { zipf: { known: 0.7, uncached: 0.45 }, uniform: { known: 0.5, uncached: 0.4 } }
/** Two writes of the counts. */
const ROUND_MS = 3_200
const WARM_UP_MS = 6_000
const SETTLE_MS = 3_000
const CONNECTIONS = 64
const TOGGLES = 1_000

/**
 * Verification over HTTP beside a bare Fastify route that returns the same JSON, with every key cached and with
 * no cache; then the time from a toggle's answer to the refusal by two processes.
 */
export async function benchKeys(): Promise<Figure[]> {
  return await withPostgres(benchKeysOn)
}

async function benchKeysOn(databaseUrl: string, folder: string): Promise<Figure[]> {
  const db = connect(databaseUrl, { statementTimeoutMs: 600_000, onLost: () => undefined })
  try {
    await migrate(db)
    const bodies = path.join(folder, 'bodies.jsonl')
    await writeFile(bodies, await makeManyKeys(db))
    return [...(await verificationFigures(databaseUrl, bodies)), await toggleFigure(db, databaseUrl)]
  } finally {
    await db.destroy()
  }
}

async function makeManyKeys(db: Kysely<Database>): Promise<string> {
  await makeManyTenants(db, TENANTS)
  await sql`update tenants set status = 'active' where status <> 'active'`.execute(db)
  const tenants = await db.selectFrom('tenants').select('id').execute()
  const lines: string[] = []
  for (let made = 0; made < KEYS; made += 5_000) {
    const rows = Array.from({ length: 5_000 }, (_, n) => {
      const { api_key, ...kept } = makeSecret()
      lines.push(JSON.stringify({ api_key, origin: 'https://shop.example.com' }))
      return {
        ...kept,
        tenant_id: tenants[n % TENANTS]?.id ?? '',
        name: 'Bench',
        allowed_origins: ['https://api.example.com', 'https://shop.example.com'],
      }
    })
    await db.insertInto('api_keys').values(rows).execute()
  }
  await sql`vacuum analyze api_keys`.execute(db)
  return lines.join('\n')
}

async function verificationFigures(databaseUrl: string, bodies: string): Promise<Figure[]> {
  const [bare, known, uncached] = await Promise.all([
    startServer('bare', databaseUrl),
    startServer('known', databaseUrl),
    startServer('uncached', databaseUrl),
  ])
  const servers = { bare, known, uncached }
  const figures: Figure[] = []
  const measure = measurer(bodies)
  await measure(known.port, 'each', 120_000)
  // Warms up all servers: V8 still optimizes them after three seconds.
  for (const { port } of Object.values(servers)) await measure(port, 'zipf', WARM_UP_MS)
  for (const popularity of ['zipf', 'uniform'] as const) {
    const results: Record<ServerKind, LoadResult[]> = { bare: [], known: [], uncached: [] }
    // Alternate, so that other load on the machine affects all servers.
    for (let round = 0; round < ROUNDS; round += 1)
      for (const name of ['bare', 'known', 'uncached'] as const) {
        // The server before may still write its counts.
        await sleep(SETTLE_MS)
        results[name].push(await measure(servers[name].port, popularity, ROUND_MS))
      }
    const floor = FLOORS[popularity]
    const { bare: ofBare, known: ofKnown, uncached: ofUncached } = results
    figures.push(
      byRound(`known keys, ${popularity}: answers per s, ours / bare`, 'perSecond', ofKnown, ofBare, {
        atLeast: floor.known,
      }),
      byRound(`known keys, ${popularity}: p50 in ms, ours / bare`, 'p50', ofKnown, ofBare, { atMost: 1 / floor.known }),
      byRound(`known keys, ${popularity}: p99 in ms, ours / bare`, 'p99', ofKnown, ofBare, { atMost: 2.5 }),
      byRound(`nothing cached, ${popularity}: answers per s, ours / bare`, 'perSecond', ofUncached, ofBare, {
        atLeast: floor.uncached,
      }),
    )
  }
  for (const { child } of Object.values(servers)) child.disconnect()
  return figures
}

function measurer(bodies: string) {
  return async (port: number, popularity: Load['popularity'], durationMs: number): Promise<LoadResult> => {
    const result = await runLoad({
      port,
      path: VERIFY_PATH,
      requests: { file: bodies },
      popularity,
      connections: CONNECTIONS,
      durationMs,
    })
    if (result.failures > 0) throw new Error(`${result.failures} checks were refused.`)
    return result
  }
}

/** The longest of 1,000 times from the answer to a toggle until two ai-api processes refuse the key. */
async function toggleFigure(db: Kysely<Database>, databaseUrl: string): Promise<Figure> {
  const processes = [startAiApi({ databaseUrl }), startAiApi({ databaseUrl })]
  const addresses = await Promise.all(processes.map(({ ready }) => ready()))
  const deps = await adminApiDeps(db)
  const app = await buildAdminApi(deps)
  const headers = { ...(await authorizationOf(deps)), 'content-type': 'application/json' }
  const { id: tenant_id } = await db.selectFrom('tenants').select('id').limit(1).executeTakeFirstOrThrow()
  const { id, api_key } = await makeApiKey(db, { tenant_id })

  const toggle = async (is_active: boolean) => {
    const payload = JSON.stringify({ is_active })
    const answer = await app.inject({ method: 'PATCH', url: `/api/v1/admin/api-keys/${id}/toggle`, headers, payload })
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }
  const until = async (address: string, status: number) => {
    const body = JSON.stringify({ api_key })
    for (;;) {
      const answer = await fetch(`${address}${VERIFY_PATH}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      await answer.arrayBuffer()
      if (answer.status === status) return performance.now()
    }
  }
  try {
    const delays: number[] = []
    for (let n = 0; n < TOGGLES; n += 1) {
      await Promise.all(addresses.map((address) => until(address, 200)))
      await toggle(false)
      const toggledAt = performance.now()
      delays.push(Math.max(...(await Promise.all(addresses.map((address) => until(address, 401))))) - toggledAt)
      await toggle(true)
    }
    const sorted = delays.toSorted((one, other) => one - other)
    const p50 = percentile(sorted, 0.5).toFixed(1)
    return amount(
      `toggle to refusal by two processes, longest of ${TOGGLES} (p50 ${p50} ms)`,
      sorted.at(-1) ?? 0,
      'ms',
      1_000,
    )
  } finally {
    for (const { child } of processes) child.kill('SIGTERM')
    await app.close()
  }
}
