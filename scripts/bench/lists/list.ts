import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import { statementName } from '@switchboard/database/connection/prepared'
import { queryWithin } from '@switchboard/database/connection/query-timeout'
import type { Database } from '@switchboard/database/tables'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { encodeCursor } from '#apps/admin-api/src/lists/cursor.ts'
import { adminApiDeps, authorizationOf } from '#scripts/bench/admin-api-deps.ts'
import { amount, type Figure, percentile, ratio, timesInTurn, type Times } from '#scripts/bench/measure.ts'
import { type RawClient, rawClient, rawRequest } from '#scripts/bench/raw-client.ts'
import { createDatabase, withPostgres } from '#scripts/bench/with-postgres.ts'

const SMALL = 1_000
const LARGE = 1_000_000
const SLOW_ROUNDS = 100
const ANALYTICS = 'analytics'

type Measured = Record<'httpAtSmall' | 'http' | 'byHand' | 'beside', Times>
type List = {
  /** The listed noun, in the names of the figures. */
  noun: string
  url: string
  analyticsUrl: string
  /** Fills an empty database with `count` rows of the noun. */
  fill: (db: Kysely<Database>, count: number) => Promise<void>
  /** The queries to measure, by name; among them 'first page', 'deep page' and 'rare substring'. */
  pages: (db: Kysely<Database>, count: number) => Promise<Record<string, string>>
  /** Slow pages, with `SLOW_ROUNDS` rounds: enough for a p50, while their p99 is the slowest call. */
  slow?: readonly string[]
}

/**
 * Pages of a list and the analytics of its noun over HTTP at 1,000 and at 1,000,000 rows, each beside the same statements
 * (session and page) sent by hand over one connection. Returns their figures, without those of slow pages, and `p50` at
 * 1,000,000 rows.
 */
export async function benchList({ slow = [], ...list }: List) {
  const measured = await withPostgres((url) => benchListOn(url, { slow, ...list }))
  const at = (page: string, way: keyof Measured, share: number) => percentile(measured.get(page)?.[way] ?? [], share)
  const p50 = (page: string, way: keyof Measured) => at(page, way, 0.5)
  const growthOf = (page: string): Figure =>
    ratio(
      `${list.noun}, ${page}: p99 over HTTP, 1,000,000 / 1,000`,
      at(page, 'http', 0.99),
      at(page, 'httpAtSmall', 0.99),
      2,
    )
  const pages = [...measured.keys()].filter((page) => page !== ANALYTICS && !slow.includes(page))
  const figures = [
    ...pages.flatMap((page) => [
      ratio(`${list.noun}, ${page}: p50 at 1,000,000, HTTP / by hand`, p50(page, 'http'), p50(page, 'byHand'), 1.3),
      growthOf(page),
    ]),
    ratio(
      `${list.noun} at 1,000,000: p50, deep page / first page`,
      p50('deep page', 'http'),
      p50('deep page', 'beside'),
      1.3,
    ),
    ...(
      [
        ['rare substring', 5],
        [ANALYTICS, 2],
      ] as const
    ).map(([page, mostMs]) =>
      amount(`${list.noun} at 1,000,000, ${page}: in the server, p50`, p50(page, 'byHand'), 'ms', mostMs),
    ),
    growthOf(ANALYTICS),
  ]
  return { figures, p50 }
}

async function benchListOn(postgresUrl: string, list: List): Promise<Map<string, Measured>> {
  const opened: OpenWorld[] = []
  try {
    const [small, large] = [await openWorld(postgresUrl, list, SMALL), await openWorld(postgresUrl, list, LARGE)]
    opened.push(small, large)
    const measured = new Map<string, Measured>()
    for (const [name, target] of Object.entries(large.calls)) {
      const works = [
        await small.overHttp(small.calls[name] ?? target),
        await large.overHttp(target),
        await large.byHand(target, { isPrepared: name === ANALYTICS }),
      ]
      if (name === 'deep page') works.push(await large.overHttp(large.calls['first page'] ?? ''))
      const rounds = list.slow?.includes(name) === true ? { rounds: SLOW_ROUNDS } : {}
      const [httpAtSmall = [], http = [], byHand = [], beside = []] = await timesInTurn(works, rounds)
      measured.set(name, { httpAtSmall, http, byHand, beside })
    }
    return measured
  } finally {
    for (const { close } of opened) await close()
  }
}

/** A server with a separate database. */
type OpenWorld = Awaited<ReturnType<typeof openWorld>>

/** Creates a database, fills it to `count` rows and starts a server over it. */
async function openWorld(postgresUrl: string, list: List, count: number) {
  const url = await createDatabase(postgresUrl, `world_of_${count}`)
  const db = connect(url, { statementTimeoutMs: 600_000 })
  await migrate(db)
  await list.fill(db, count)
  await sql`vacuum analyze`.execute(db)
  // Without this, PostgreSQL writes the filled rows to disk during the measurement.
  await sql`checkpoint`.execute(db)

  const deps = await adminApiDeps(db)
  const app = await buildAdminApi(deps)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const headers = await authorizationOf(deps)
  const clients: RawClient[] = []
  const pages = Object.entries(await list.pages(db, count))
  const calls: Record<string, string> = {
    ...Object.fromEntries(pages.map(([page, query]) => [page, `${list.url}?limit=50&${query}`])),
    [ANALYTICS]: list.analyticsUrl,
  }
  const client = new Client(url)
  await client.connect()
  return {
    calls,
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
    /** `isPrepared`: prepares the statements that the server prepares. */
    byHand: async (target: string, { isPrepared }: { isPrepared: boolean }) => {
      const statements = await statementsOf(url, { path: target, headers })
      return async () => {
        for (const { sql: text, parameters } of statements) {
          const preparedName = isPrepared ? statementName(text) : undefined
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

/** The cursor of the page that begins after `start` rows in the order of a column. */
export async function cursorAt(
  db: Kysely<Database>,
  table: 'tenants' | 'users',
  sort: 'name' | 'email',
  start: number,
): Promise<string> {
  const { rows } = await sql<{ id: string; value: string }>`
    select id, ${sql.ref(sort)} as value from ${sql.table(table)} order by 2, 1 offset ${start} limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`There are no ${start} ${table}.`)
  return encodeCursor({ sort, values: [row.value, row.id], back: false, start })
}
