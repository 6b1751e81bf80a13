import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from '@switchboard/database/connect'
import { startEmbeddedPostgres } from '@switchboard/database/embedded/embedded-postgres'
import { makeAdmin } from '@switchboard/database/factories'
import { migrate } from '@switchboard/database/migrate'
import { nameMarkedStatements } from '@switchboard/database/prepared'
import type { Database } from '@switchboard/database/tables'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { startSession } from '#apps/admin-api/src/auth/sessions.service.ts'
import { encodeCursor } from '#apps/admin-api/src/lists/cursor.ts'
import { adminApiDeps } from './admin-api-deps.ts'
import { type Figure, percentile, ratio, timesInTurn, type Times } from './measure.ts'
import { rawClient, rawRequest } from './raw-client.ts'

const SMALL = 1_000
const LARGE = 1_000_000
const ROUNDS = 400

type Measured = { http: Times; byHand: Times }
type World = {
  /** How many there are at the most; a million unless told. */
  large?: number
  /** Fills an empty database with so many of what is measured. */
  fill: (db: Kysely<Database>, count: number) => Promise<void>
  /** The addresses to measure, by name. */
  calls: (db: Kysely<Database>, count: number) => Promise<Record<string, string>>
  /** By hand too, what the server prepares is prepared. */
  isPrepared?: boolean
}
type List = Omit<World, 'calls'> & {
  /** What is listed, in the names of the figures. */
  noun: string
  url: string
  /** The queries to measure, by name. */
  pages: (db: Kysely<Database>, count: number) => Promise<Record<string, string>>
}

/**
 * Pages of a list over HTTP at a thousand rows and at a million (or what `large` says), each beside the same statements
 * (session and page) sent by hand over one connection. Returns the two figures that every page must reach, the second
 * alone for those whose statements take less than HTTP itself, and `p50` at the larger number for others.
 */
export async function benchList({ noun, url, pages, ...world }: List) {
  const many = (world.large ?? LARGE).toLocaleString('en')
  const { p50, p99, p99AtSmall } = await benchCalls({
    ...world,
    calls: async (db, count) =>
      Object.fromEntries(
        Object.entries(await pages(db, count)).map(([page, query]) => [page, `${url}?limit=50&${query}`]),
      ),
  })
  const growthOf = (page: string): Figure =>
    ratio(`${noun}, ${page}: p99 over HTTP, ${many} / 1,000`, p99(page), p99AtSmall(page), 2)
  const figuresOf = (page: string): Figure[] => [
    ratio(`${noun}, ${page}: p50 at ${many}, HTTP / by hand`, p50(page, 'http'), p50(page, 'byHand'), 1.3),
    growthOf(page),
  ]
  return { figuresOf, growthOf, p50 }
}

/**
 * Calls over HTTP at a thousand rows and at a million (or what `large` says), each beside the same statements sent by
 * hand over one connection. Returns the times below which half and 99 of 100 of them stay, in milliseconds.
 */
export async function benchCalls(world: World) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchboard-bench-'))
  await chmod(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  try {
    const small = await measureWorld(postgres.url, world, SMALL)
    const large = await measureWorld(postgres.url, world, world.large ?? LARGE)
    return {
      p50: (call: string, way: keyof Measured) => percentile(large.get(call)?.[way] ?? [], 0.5),
      p99: (call: string) => percentile(large.get(call)?.http ?? [], 0.99),
      p99AtSmall: (call: string) => percentile(small.get(call)?.http ?? [], 0.99),
    }
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Fills the database to `count` rows and measures. */
async function measureWorld(url: string, world: World, count: number): Promise<Map<string, Measured>> {
  const db = connect(url, { statementTimeoutMs: 600_000 })
  await migrate(db)
  await sql`truncate tenants cascade`.execute(db)
  await world.fill(db, count)
  await sql`vacuum analyze`.execute(db)

  const deps = await adminApiDeps(db)
  const app = await buildAdminApi(deps)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const admin = await makeAdmin(db)
  const { access_token } = await startSession(deps, db, { admin_id: admin.id, address: null, user_agent: null })
  const headers = { authorization: `Bearer ${access_token}` }
  const http = await rawClient(Number(port))
  const client = new Client(url)
  if (world.isPrepared === true) nameMarkedStatements(client)
  await client.connect()

  const measure = async (target: string): Promise<Measured> => {
    const request = rawRequest('GET', target, headers)
    const call = async () => {
      const status = await new Promise<number>((resolve) => http.send(request, resolve))
      if (status !== 200) throw new Error(`${target}: ${status}`)
    }
    const statements = await statementsOf(url, { path: target, headers })
    const byHand = async () => {
      for (const { sql: text, parameters } of statements) await client.query(text, [...parameters])
    }
    const [overHttp, sentByHand] = await timesInTurn([call, byHand], { rounds: ROUNDS })
    return { http: overHttp ?? [], byHand: sentByHand ?? [] }
  }

  try {
    const measured = new Map<string, Measured>()
    for (const [name, target] of Object.entries(await world.calls(db, count))) measured.set(name, await measure(target))
    return measured
  } finally {
    http.close()
    await client.end()
    await app.close()
    await db.destroy()
  }
}

/** What a call sends to the database, found out on a server that tells and is not measured. */
async function statementsOf(url: string, call: { path: string; headers: Record<string, string> }) {
  const statements: CompiledQuery[] = []
  const db = connect(url, { log: ({ query }) => void statements.push(query) })
  const app = await buildAdminApi(await adminApiDeps(db))
  statements.length = 0
  await app.inject(call)
  await app.close()
  await db.destroy()
  return statements
}

/** The cursor of the page that begins after `start` rows in the order of a column, of `where` alone. */
export async function cursorAt(
  db: Kysely<Database>,
  table: 'tenants' | 'admins' | 'tasks' | 'task_runs',
  sort: string,
  start: number,
  where = sql<boolean>`true`,
): Promise<string> {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const { rows } = await sql<{ id: string; value: string }>`
    select id, ${sql.ref(sort.replace(/^-/, ''))} as value from ${sql.table(table)} where ${where}
    order by 2 ${direction}, 1 ${direction} offset ${start} limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`There are no ${start} ${table}.`)
  return encodeCursor({ sort, value: row.value, id: row.id, back: false, start })
}
