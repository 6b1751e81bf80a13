import { search } from '@switchboard/contract/palette'
import { connect } from '@switchboard/database/connection/connect'
import type { Database } from '@switchboard/database/tables'
import { makeAuditLog } from '@switchboard/testing/audit-log-factory'
import {
  makeManyApiKeys,
  makeManyTasks,
  makeManyTenants,
  makeManyUsers,
  makeUser,
} from '@switchboard/testing/factories'
import { withoutIndexes } from '@switchboard/testing/without-indexes'
import { type Kysely, sql } from 'kysely'
import { SHARED_SECRET, startProcess } from '#tests/server-process.ts'
import { adminApiDeps, authorizationOf } from './admin-api-deps.ts'
import { type Load, runLoads } from './load.ts'
import { type Figure, growth } from './measure.ts'
import { createDatabase, withPostgres } from './with-postgres.ts'

const FEW = 1_000
const MANY = 1_000_000
const SUPER_ADMINS = 20
/** Each client sends its next search after an answer. */
const CLIENTS = 20
const ROUNDS = 5
const ROUND_MS = 400
/** A person who types does not wait for longer. */
const SLOWEST_MS = 300

/** A running admin-api over its own world, and the searches to send. */
type World = Awaited<ReturnType<typeof openWorld>>

/** Searches of the palette (Ctrl-K) in a world of 1,000 and in one of 1,000,000 rows, in alternation, with twenty clients. */
export async function benchPalette(): Promise<Figure[]> {
  return await withPostgres(benchPaletteOn, { durable: false })
}

async function benchPaletteOn(postgresUrl: string): Promise<Figure[]> {
  const worlds: World[] = []
  try {
    const [few, many] = [await openWorld(postgresUrl, FEW), await openWorld(postgresUrl, MANY)]
    worlds.push(few, many)
    const figures: Figure[] = []
    for (const [name, q] of Object.entries(many.terms)) {
      const loads = [loadOf(many, q), loadOf(few, few.terms[name] ?? q)]
      const [atMany, atFew] = await runLoads(loads, ROUNDS)
      if (atMany === undefined || atFew === undefined) throw new Error(`${name} was not measured.`)
      figures.push(growth(`palette, ${name}: ${CLIENTS} at once, 1,000,000 / 1,000`, atMany, atFew, SLOWEST_MS))
    }
    return figures
  } finally {
    for (const { server, close } of worlds) {
      server.child.kill('SIGTERM')
      await server.ended
      await close()
    }
  }
}

async function openWorld(postgresUrl: string, count: number) {
  const DATABASE_URL = await createDatabase(postgresUrl, `world_of_${count}`)
  const server = startProcess({ DATABASE_URL, WEBHOOK_SECRET: SHARED_SECRET }, 'apps/admin-api/src/main.ts')
  const address = await server.ready()
  const db = connect(DATABASE_URL, { isPatient: true })
  await fillWorld(db, count)
  const headers = await authorizationOf(await adminApiDeps(db))
  return { server, address, headers, terms: await searchTerms(db, count), close: () => db.destroy() }
}

/** Fills an empty database: `count` tenants, users and audit rows, a fifth as many keys and a tenth as many tasks. */
async function fillWorld(db: Kysely<Database>, count: number): Promise<void> {
  await withoutIndexes(db, ['tenants', 'users', 'tasks'], async (trx) => {
    await makeManyTenants(trx, count)
    await makeManyUsers(trx, count)
    // With indexes: each new key looks for its successor.
    await makeManyApiKeys(trx, count / 5)
    await makeManyTasks(trx, count / 10)
  })
  for (let n = 0; n < SUPER_ADMINS; n += 1) await makeUser(db)
  await makeAuditLog(db, count)
  await sql`vacuum analyze`.execute(db)
}

async function searchTerms(db: Kysely<Database>, count: number): Promise<Record<string, string>> {
  // A number in the name of one row and of few others.
  const rare = String(Math.floor(count * 0.637219))
  const key = await db
    .selectFrom('api_keys')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return {
    'rare word': rare,
    'part of an address': `.${rare}@`,
    'common word': 'bakery',
    'common part of an address': '.example',
    'two letters': 'ba',
    'no match': 'zzyzx',
    'pasted id': key.id,
    'beginning of an id': key.id.slice(0, 8),
    'pasted mask': `${key.key_prefix}${key.key_start}…${key.key_last4}`,
  }
}

function loadOf({ address, headers }: World, q: string): Load {
  return {
    port: Number(new URL(address).port),
    path: search.url,
    headers,
    requests: { all: JSON.stringify({ q }) },
    popularity: 'uniform',
    connections: CLIENTS,
    durationMs: ROUND_MS,
  }
}
