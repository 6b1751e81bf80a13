import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TenantSort } from '@switchboard/contract/tenants'
import { connect } from '@switchboard/database/connect'
import { startEmbeddedPostgres } from '@switchboard/database/embedded/embedded-postgres'
import { makeAdmin, makeManyTenants } from '@switchboard/database/factories'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import { parseSettings } from '@switchboard/server/env'
import { createLogger } from '@switchboard/server/log'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { startSession } from '#apps/admin-api/src/auth/sessions.service.ts'
import { encodeCursor } from '#apps/admin-api/src/lists/cursor.ts'
import { liveDeps } from '#apps/admin-api/src/live-deps.ts'
import { amount, type Figure, percentile, ratio, timesOf, type Times } from './measure.ts'

const SMALL = 1_000
const LARGE = 1_000_000

type Measured = { http: Times; byHand: Times }
/** What is asked for, by name. */
type Pages = Record<'first page' | 'deep page' | 'rare substring' | 'common substring', Measured>

/**
 * A page of tenants over HTTP at a thousand and at a million rows, each beside the same statements (session and page)
 * sent by hand over one connection.
 */
export async function benchTenants(): Promise<Figure[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchboard-bench-'))
  await chmod(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  try {
    const small = await measureWorld(postgres.url, SMALL)
    const large = await measureWorld(postgres.url, LARGE)
    return figuresOf(small, large)
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function figuresOf(small: Pages, large: Pages): Figure[] {
  const pages = ['first page', 'deep page', 'rare substring'] as const
  const p50 = (times: Times) => percentile(times, 0.5)
  const p99 = (times: Times) => percentile(times, 0.99)
  return [
    ...pages.map((page) =>
      ratio(`tenants at 1,000,000, ${page}: p50, HTTP / by hand`, p50(large[page].http), p50(large[page].byHand), 1.3),
    ),
    ...pages.map((page) =>
      ratio(`tenants, ${page}: p99 over HTTP, 1,000,000 / 1,000`, p99(large[page].http), p99(small[page].http), 2),
    ),
    ratio(
      'tenants at 1,000,000: p50, deep page / first page',
      p50(large['deep page'].http),
      p50(large['first page'].http),
      1.3,
    ),
    amount('tenants at 1,000,000, rare substring: in the server, p50', p50(large['rare substring'].byHand), 'ms', 5),
    amount(
      'tenants at 1,000,000, substring that 100,000 have: over HTTP, p50',
      p50(large['common substring'].http),
      'ms',
      250,
    ),
  ]
}

/** Fills the database to `count` tenants and measures. */
async function measureWorld(url: string, count: number): Promise<Pages> {
  const statements: CompiledQuery[] = []
  const db = connect(url, { statementTimeoutMs: 600_000, log: ({ query }) => void statements.push(query) })
  await migrate(db)
  await sql`truncate tenants cascade`.execute(db)
  await makeManyTenants(db, count)
  await sql`vacuum analyze tenants`.execute(db)

  const deps = await liveDeps(
    {
      db,
      streamDb: db,
      log: createLogger('silent'),
      consoleSettings: { brand_name: '', platform_domain: '', default_allowed_origin: '', sample_maps: true },
      consoleFolder: null,
      trustProxy: false,
    },
    parseSettings({}),
  )
  const app = await buildAdminApi(deps)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const admin = await makeAdmin(db)
  const { access_token } = await startSession(deps, db, { admin_id: admin.id, address: null, user_agent: null })
  const agent = new Agent({ keepAlive: true })
  const client = new Client(url)
  await client.connect()

  const measure = async (query: string): Promise<Measured> => {
    const call = () => fetchPage(`${address}/api/v1/admin/tenants?limit=50&${query}`, access_token, agent)
    await call()
    statements.length = 0
    await call()
    const sent = [...statements]
    const byHand = async () => {
      for (const { sql: text, parameters } of sent) await client.query(text, [...parameters])
    }
    // Turn and turn about, so that whatever else the machine does meets both.
    const rounds = 200
    const halves = [
      await timesOf(call, { rounds }),
      await timesOf(byHand, { rounds }),
      await timesOf(call, { rounds }),
      await timesOf(byHand, { rounds }),
    ]
    const [http1 = [], hand1 = [], http2 = [], hand2 = []] = halves
    const sorted = (times: Times) => times.toSorted((one, other) => one - other)
    return { http: sorted([...http1, ...http2]), byHand: sorted([...hand1, ...hand2]) }
  }

  try {
    return {
      'first page': await measure('sort=name'),
      'deep page': await measure(`sort=name&cursor=${await cursorAt(db, 'name', Math.floor(count / 2))}`),
      'rare substring': await measure(`sort=name&q=-${count - 1}`),
      'common substring': await measure('sort=name&q=bakery'),
    }
  } finally {
    agent.destroy()
    await client.end()
    await app.close()
    await db.destroy()
  }
}

async function cursorAt(db: Kysely<Database>, sort: TenantSort & 'name', start: number): Promise<string> {
  const row = await db
    .selectFrom('tenants')
    .select(['id', sort])
    .orderBy(sort)
    .orderBy('id')
    .offset(start)
    .limit(1)
    .executeTakeFirstOrThrow()
  return encodeCursor({ sort, value: row[sort], id: row.id, back: false, start })
}

async function fetchPage(url: string, token: string, agent: Agent): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`))
      answer.resume().once('end', resolve)
    }).once('error', reject)
  })
}
