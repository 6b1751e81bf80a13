import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import { statementName } from '@switchboard/database/connection/prepared'
import { queryWithin } from '@switchboard/database/connection/query-timeout'
import type { Database } from '@switchboard/database/tables'
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { Client } from 'pg'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { encodeCursor } from '#apps/admin-api/src/lists/cursor.ts'
import { adminApiDeps, authorizationOf } from '#scripts/bench/admin-api-deps.ts'
import { type Figure, percentile, ratio, timesInTurn, type Times } from '#scripts/bench/measure.ts'
import { type RawClient, rawClient, rawRequest } from '#scripts/bench/raw-client.ts'
import { createDatabase, withPostgres } from '#scripts/bench/with-postgres.ts'

const SMALL = 1_000
const LARGE = 1_000_000
const SLOW_ROUNDS = 100

type Measured = Record<'httpAtSmall' | 'http' | 'byHand' | 'beside', Times>
type World = {
  /** The larger number of rows; 1,000,000 by default. */
  large?: number
  /** Fills an empty database with `count` rows of the measured noun. */
  fill: (db: Kysely<Database>, count: number) => Promise<void>
  /** The addresses to measure, by name. */
  calls: (db: Kysely<Database>, count: number) => Promise<Record<string, string>>
  /** Calls measured in alternation for comparison: the name of the other call, by name. */
  beside?: Record<string, string>
  /** Slow calls, with `SLOW_ROUNDS` rounds: enough for a p50, while their p99 is the slowest call. */
  slow?: readonly string[]
  /** The comparison prepares the statements that the server prepares. */
  isPrepared?: boolean
}
type List = Omit<World, 'calls' | 'beside'> & {
  /** The listed noun, in the names of the figures. */
  noun: string
  url: string
  /** The queries to measure, by name; among them 'first page' and 'deep page'. */
  pages: (db: Kysely<Database>, count: number) => Promise<Record<string, string>>
}

/**
 * Pages of a list over HTTP at 1,000 and at 1,000,000 rows (or `large`), each beside the same statements (session and
 * page) sent by hand over one connection. Returns the two figures of every page; the growth alone, for statements
 * faster than HTTP itself; the figure of a deep page; and `p50` at the larger number.
 */
export async function benchList({ noun, url, pages, ...world }: List) {
  const many = (world.large ?? LARGE).toLocaleString('en')
  const { p50, p99, p99AtSmall } = await benchCalls({
    ...world,
    beside: { 'deep page': 'first page' },
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
  const deepFigure = ratio(
    `${noun} at ${many}: p50, deep page / first page`,
    p50('deep page', 'http'),
    p50('deep page', 'beside'),
    1.3,
  )
  return { figuresOf, growthOf, deepFigure, p50 }
}

/**
 * Calls over HTTP at 1,000 and at 1,000,000 rows (or `large`), in alternation, and at the larger number beside the same
 * statements sent by hand over one connection. Returns p50 and p99 in milliseconds.
 */
export async function benchCalls(world: World) {
  return await withPostgres((url) => benchCallsOn(url, world))
}

async function benchCallsOn(postgresUrl: string, world: World) {
  const opened: OpenWorld[] = []
  try {
    const [small, large] = [
      await openWorld(postgresUrl, world, SMALL),
      await openWorld(postgresUrl, world, world.large ?? LARGE),
    ]
    opened.push(small, large)
    const measured = new Map<string, Measured>()
    for (const [name, target] of Object.entries(large.calls)) {
      const works = [
        await small.overHttp(small.calls[name] ?? target),
        await large.overHttp(target),
        await large.byHand(target),
      ]
      const other = world.beside?.[name]
      if (other !== undefined) works.push(await large.overHttp(large.calls[other] ?? ''))
      const [httpAtSmall = [], http = [], byHand = [], beside = []] = await timesInTurn(
        works,
        world.slow?.includes(name) === true ? { rounds: SLOW_ROUNDS } : {},
      )
      measured.set(name, { httpAtSmall, http, byHand, beside })
    }
    const at = (call: string, way: keyof Measured, share: number) => percentile(measured.get(call)?.[way] ?? [], share)
    return {
      p50: (call: string, way: 'http' | 'byHand' | 'beside') => at(call, way, 0.5),
      p99: (call: string) => at(call, 'http', 0.99),
      p50AtSmall: (call: string) => at(call, 'httpAtSmall', 0.5),
      p99AtSmall: (call: string) => at(call, 'httpAtSmall', 0.99),
    }
  } finally {
    for (const { close } of opened) await close()
  }
}

/** A server over a database of its own. */
type OpenWorld = Awaited<ReturnType<typeof openWorld>>

/** Creates a database, fills it to `count` rows and starts a server over it. */
async function openWorld(postgresUrl: string, world: World, count: number) {
  const url = await createDatabase(postgresUrl, `world_of_${count}`)
  const db = connect(url, { statementTimeoutMs: 600_000 })
  await migrate(db)
  await world.fill(db, count)
  await sql`vacuum analyze`.execute(db)
  // Otherwise PostgreSQL writes the filled rows to disk during the measurement.
  await sql`checkpoint`.execute(db)

  const deps = await adminApiDeps(db)
  const app = await buildAdminApi(deps)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const headers = await authorizationOf(deps)
  const clients: RawClient[] = []
  const client = new Client(url)
  await client.connect()
  return {
    calls: await world.calls(db, count),
    // A connection per call: the server closes idle connections.
    overHttp: async (target: string) => {
      const http = await rawClient(Number(port))
      clients.push(http)
      const request = rawRequest('GET', target, headers)
      return async () => {
        const status = await new Promise<number>((resolve) => http.send(request, resolve))
        if (status !== 200) throw new Error(`${target}: ${status}`)
      }
    },
    byHand: async (target: string) => {
      const statements = await statementsOf(url, { path: target, headers })
      return async () => {
        for (const { sql: text, parameters } of statements) {
          const preparedName = world.isPrepared === true ? statementName(text) : undefined
          await queryWithin(client, { name: preparedName, text, values: [...parameters] })
        }
      }
    },
    close: async () => {
      for (const http of clients) http.close()
      await client.end()
      await app.close()
      await db.destroy()
    },
  }
}

/** The SQL statements of a call, recorded by a server that is not measured. */
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

/**
 * The cursor of the page that begins after `start` rows in the order of a column, limited to `where`. `value` is SQL for a
 * sort that is not a column.
 */
export async function cursorAt(
  db: Kysely<Database>,
  table: 'tenants' | 'users' | 'api_keys' | 'tasks' | 'runs',
  sort: string,
  start: number,
  {
    where = sql<boolean>`true`,
    value = sql.ref(sort.replace(/^-/, '')),
  }: { where?: RawBuilder<boolean>; value?: RawBuilder<unknown> } = {},
): Promise<string> {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const { rows } = await sql<{ id: string; value: string }>`
    select id, ${value} as value from ${sql.table(table)} where ${where}
    order by 2 ${direction}, 1 ${direction} offset ${start} limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`There are no ${start} ${table}.`)
  return encodeCursor({ sort, value: row.value, id: row.id, back: false, start })
}
