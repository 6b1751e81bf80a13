import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import { makeManyTenants, makeSecret } from '@switchboard/testing/factories'
import { type Kysely, sql } from 'kysely'
import { PROMPT_PATH, startServer, VERIFY_PATH } from '#scripts/bench/ai-api-server.ts'
import { byRound, type Get, type Load, type LoadResult, medianOf, runLoad } from '#scripts/bench/load.ts'
import { amount, type Figure } from '#scripts/bench/measure.ts'
import { withPostgres } from '#scripts/bench/with-postgres.ts'

const ORIGIN = 'https://api.example.com'
const TENANTS = 1_000
/** Every fourth tenant has an addendum. */
const ADDENDA = 250
const CONNECTIONS = [16, 64] as const
const ROUNDS = 5
const ROUND_MS = 2_000
const WARM_UP_MS = 4_000
const COLD_MS = 120_000
const P99_MAX_MS = 50
/** Minimum share of the bare route's answers, and of the key checks for a 304. */
const TEXTS_FLOOR = 0.5
const CURRENT_FLOOR = 0.9

/** The requests of one kind, one per tenant, in files. */
type Requests = Record<'texts' | 'current' | 'checks', Load['requests']>
type Reader = { tenant_id: string; api_key: string }

/**
 * Reads of prompts over HTTP: the first of every tenant, then all again beside a bare Fastify route that returns the same
 * JSON, and those that a 304 answers beside key checks.
 */
export async function benchPrompts(): Promise<Figure[]> {
  return await withPostgres(async (databaseUrl, folder) => {
    const db = connect(databaseUrl)
    try {
      await migrate(db)
      return await figuresOf(databaseUrl, folder, await makeReaders(db))
    } finally {
      await db.destroy()
    }
  })
}

async function makeReaders(db: Kysely<Database>): Promise<Reader[]> {
  await makeManyTenants(db, TENANTS)
  await sql`update tenants set status = 'active', goal = 'book a table at ' || name`.execute(db)
  const tenants = await db.selectFrom('tenants').select('id').execute()
  const keys = tenants.map(({ id }) => ({ tenant_id: id, ...makeSecret() }))
  const rows = keys.map((key) => {
    const { api_key: _, ...kept } = key
    return { ...kept, name: 'Bench', allowed_origins: [ORIGIN] }
  })
  await db.insertInto('api_keys').values(rows).execute()
  await sql`
    with added as (
      insert into prompt_templates (tenant_id, prompt_type, version)
      select id, 'general', 1 from tenants order by id limit ${ADDENDA}
      returning id
    )
    insert into prompt_versions (template_id, version, template)
    select id, 1, 'We are {{ tenant_name }}. ' || repeat('We open at nine. ', 20) from added`.execute(db)
  return keys
}

async function figuresOf(databaseUrl: string, folder: string, readers: Reader[]): Promise<Figure[]> {
  const texts = path.join(folder, 'texts.jsonl')
  await writeFile(texts, linesOf(readers.map((reader) => getOf(reader))))
  const cold: Figure[] = []
  for (const connections of CONNECTIONS) cold.push(...(await coldFigures(databaseUrl, texts, readers, connections)))

  const ours = await startServer('known', databaseUrl)
  const tags = await tagsOf(ours.port, readers)
  const bare = await startServer('bare', databaseUrl, tags[0]?.prompt)
  const current = path.join(folder, 'current.jsonl')
  await writeFile(current, linesOf(readers.map((reader, n) => getOf(reader, tags[n]?.etag))))
  const checks = path.join(folder, 'checks.jsonl')
  await writeFile(checks, linesOf(readers.map(({ api_key }) => ({ api_key, origin: ORIGIN }))))
  const requests: Requests = { texts: { gets: texts }, current: { gets: current }, checks: { file: checks } }
  const warm: Figure[] = []
  for (const connections of CONNECTIONS)
    warm.push(...(await warmFigures({ ours: ours.port, bare: bare.port }, requests, connections)))
  for (const { child } of [ours, bare]) child.disconnect()
  return [...cold, ...warm]
}

function getOf({ tenant_id, api_key }: Reader, etag?: string): Get {
  const headers = { 'x-api-key': api_key, origin: ORIGIN, ...(etag !== undefined && { 'if-none-match': etag }) }
  return { query: `tenant_id=${tenant_id}`, headers }
}

function linesOf(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join('\n')
}

/** The first read of every tenant, after a first one of all that starts the processes of the renderer. */
async function coldFigures(
  databaseUrl: string,
  texts: string,
  readers: readonly Reader[],
  connections: number,
): Promise<Figure[]> {
  const { port, child } = await startServer('known', databaseUrl)
  await tagsOf(port, readers.slice(0, 1))
  const load = { port, path: PROMPT_PATH, requests: { gets: texts }, connections } as const
  const { p99, failures } = await runLoad({ ...load, popularity: 'each', durationMs: COLD_MS })
  child.disconnect()
  const what = `first read of each tenant, ${connections} at once`
  return [amount(`${what}: p99`, p99, 'ms', P99_MAX_MS), amount(`${what}: refused`, failures, 'reads', 0)]
}

/** Reads every prompt once. Returns the answers with their ETags. */
async function tagsOf(port: number, readers: readonly Reader[]): Promise<{ etag: string; prompt: unknown }[]> {
  const tags: { etag: string; prompt: unknown }[] = []
  for (const reader of readers) {
    const { query, headers } = getOf(reader)
    const answer = await fetch(`http://127.0.0.1:${port}${PROMPT_PATH}?${query}`, { headers })
    if (!answer.ok) throw new Error(await answer.text())
    tags.push({ etag: answer.headers.get('etag') ?? '', prompt: await answer.json() })
  }
  return tags
}

async function warmFigures(
  ports: { ours: number; bare: number },
  requests: Requests,
  connections: number,
): Promise<Figure[]> {
  const measure = (port: number, kind: keyof Requests, durationMs: number) =>
    runLoad({
      port,
      path: kind === 'checks' ? VERIFY_PATH : PROMPT_PATH,
      requests: requests[kind],
      popularity: 'uniform',
      connections,
      durationMs,
    })
  const loads = {
    texts: [ports.ours, 'texts'],
    bare: [ports.bare, 'texts'],
    current: [ports.ours, 'current'],
    checks: [ports.ours, 'checks'],
  } as const
  for (const [port, kind] of Object.values(loads)) await measure(port, kind, WARM_UP_MS)
  const results = {
    texts: new Array<LoadResult>(),
    bare: new Array<LoadResult>(),
    current: new Array<LoadResult>(),
    checks: new Array<LoadResult>(),
  }
  // Alternate, so that other load on the machine affects all.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of ['bare', 'texts', 'current', 'checks'] as const) {
      const [port, kind] = loads[name]
      results[name].push(await measure(port, kind, ROUND_MS))
    }
  const { bare, texts, current, checks } = results
  const at = `${connections} at once`
  const [text, tag] = [medianOf(texts), medianOf(current)]
  if (checks.some(({ failures }) => failures > 0)) throw new Error('Key checks were refused.')
  return [
    byRound(`prompts, ${at}: answers per s, ours / bare`, 'perSecond', texts, bare, { atLeast: TEXTS_FLOOR }),
    amount(`prompts, ${at}: p99`, text.p99, 'ms', P99_MAX_MS),
    byRound(`304, ${at}: answers per s, ours / key checks`, 'perSecond', current, checks, { atLeast: CURRENT_FLOOR }),
    amount(`prompts, 304, ${at}: refused`, text.failures + tag.failures, 'reads', 0),
  ]
}
