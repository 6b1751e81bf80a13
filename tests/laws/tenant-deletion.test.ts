import { savePromptTemplate } from '@switchboard/contract/prompts'
import { createTenant, deleteTenant, purgeTenant, restoreTenant } from '@switchboard/contract/tenants'
import { createUser } from '@switchboard/contract/users'
import { KEY_OUTCOMES } from '@switchboard/contract/api-keys/key-outcomes'
import { verifyKey } from '@switchboard/contract/api-keys/key-verification'
import { makeUser, makeApiKey, makeReview, makeRun, makeTask, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { recount } from '@switchboard/database/recount'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import { createPlacesClient } from '@switchboard/places/places.client'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { PASSWORD, startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { WORKER_DEFAULTS } from '#apps/worker/src/testing/worker-defaults.ts'
import { createWorker } from '#apps/worker/src/worker.ts'
import { createLogger } from '@switchboard/server/process/log'
import { lastOtherMs } from '#tests/faults/effective.ts'

// Deleting a tenant over a random world, compared with a model in memory: exactly its rows are deleted from each table.

const SEED = 71
/** A key of a deleted tenant is refused after this time. */
const EFFECTIVE_MS = 1_000
const TENANTS = 14

const api = await startTestApi()
const { db, databaseUrl } = api
const ada = await api.signIn()
const random = randomNumbers(SEED)
const password_hash = await api.deps.passwords.hash(PASSWORD)

const now = () => new Date('2026-11-20T12:00:00.000Z')
const emulator = await startMapsEmulator({ now })
const maps = createPlacesClient({ url: emulator.url, apiKey: 'any', now })
const [called, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
/** The first call to Google waits for the test. */
const places = {
  placeDetails: async (id: string) => {
    called.resolve()
    await answer.promise
    return await maps.placeDetails(id)
  },
}
const log = createLogger('silent')
const worker = await createWorker({ ...WORKER_DEFAULTS, db, directUrl: databaseUrl, log, places })
const ai = await buildAiApi(testDeps({ db, directUrl: databaseUrl, log, queue: worker.queue }))
await worker.start()
afterAll(async () => {
  await Promise.all([ai.close(), worker.stop()])
  await Promise.all([maps.close(), emulator.close()])
})

type Model = { tenant: string; secrets: string[]; emails: string[]; rows: Map<string, number>; ids: Set<string> }
type Row = Record<string, unknown>

/** A tenant with a random number of each dependent record, and the same in memory. */
async function makeModel(): Promise<Model> {
  const { id: tenant } = await makeTenant(db, { status: random(4) === 0 ? 'inactive' : 'active' })
  const model: Model = { tenant, secrets: [], emails: [], rows: new Map(), ids: new Set([tenant]) }
  const add = (table: string, id?: string) => {
    model.rows.set(table, (model.rows.get(table) ?? 0) + 1)
    if (id !== undefined) model.ids.add(id)
  }
  add('tenants')
  for (let n = random(5); n > 0; n -= 1) {
    const role = (['admin', 'manager', 'user'] as const)[random(3)] ?? 'user'
    const user = await makeUser(db, { tenant_id: tenant, role, is_active: random(3) > 0, password_hash })
    add('users', user.id)
    model.emails.push(user.email)
  }
  for (let n = 1 + random(4); n > 0; n -= 1) {
    const revoked = random(4) === 0 ? { is_active: false, revoked_at: new Date() } : {}
    const key = await makeApiKey(db, { tenant_id: tenant, ...revoked })
    add('api_keys', key.id)
    model.secrets.push(key.api_key)
    for (const outcome of KEY_OUTCOMES.slice(0, random(KEY_OUTCOMES.length))) {
      await makeCalls(db, key.id, outcome, { count: 1 + random(9) })
      add('api_key_calls')
    }
  }
  for (let n = random(4); n > 0; n -= 1) {
    const task = await makeTask(db, { tenant_id: tenant, is_paused: random(3) === 0 })
    add('tasks', task.id)
    for (let runs = random(4); runs > 0; runs -= 1) {
      await makeRun(db, { task_id: task.id })
      add('runs')
    }
    for (let reviews = random(3); reviews > 0; reviews -= 1) {
      await makeReview(db, { task_id: task.id })
      add('reviews')
    }
    await sql`insert into task_webhooks (task_id, sent_at, message_id) values (${task.id}, now(), gen_random_uuid())`.execute(
      db,
    )
    add('task_webhooks')
  }
  const versions = await makeAddendum(tenant)
  for (const id of versions) add('prompt_versions', id)
  if (versions.length > 0) add('prompt_templates')
  return model
}

/** Up to two versions of an addendum: their ids. */
async function makeAddendum(tenant: string): Promise<string[]> {
  const url = `${savePromptTemplate.url.replace(':prompt_type', 'general')}?tenant_id=${tenant}`
  const ids: string[] = []
  for (let versions = random(3); versions > 0; versions -= 1)
    ids.push((await ada.call({ method: 'PUT', url, body: { template: `Version ${versions}` } })).json().id)
  return ids
}

/** Pseudo-random numbers from 0 to below `most`, equal for equal seeds. */
function randomNumbers(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * most)
  }
}

/** Written by triggers, with every call, or by the worker at any time. */
const DERIVED = new Set([
  'counters',
  'audit_log',
  'audit_head',
  'audit_unsealed',
  'portal_sign_ins',
  'sessions',
  'known_devices',
  'deletions',
  'alerts',
  'alert_reader',
  'alert_mails',
])

/** All rows by table. */
async function snapshot(): Promise<Map<string, Row[]>> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'`.execute(db)
  const all = new Map<string, Row[]>()
  for (const { name } of tables.rows.filter((table) => !DERIVED.has(table.name))) {
    const { rows } = await sql<{ row: Row }>`
      select to_jsonb(record) as row from ${sql.table(name)} as record order by record::text`.execute(db)
    all.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return all
}

const OWNERS = ['id', 'tenant_id', 'api_key_id', 'task_id'] as const
const belongsTo = ({ ids }: Model, row: Row) => OWNERS.some((column) => ids.has(String(row[column])))
const remove = async (id: string) => await ada.call({ method: 'DELETE', url: deleteTenant.url.replace(':id', id) })
const verify = async (api_key: string) =>
  (await ai.inject({ method: verifyKey.method, url: verifyKey.url, payload: { api_key } })).statusCode

const models: Model[] = []
for (let n = 0; n < TENANTS; n += 1) models.push(await makeModel())

test('exactly the rows of the tenant are deleted from each table', async () => {
  for (const model of models.slice(0, TENANTS / 2)) {
    const before = await snapshot()
    expect((await remove(model.tenant)).statusCode).toBe(204)
    const after = await snapshot()
    for (const [table, rows] of before) {
      const own = rows.filter((row) => belongsTo(model, row))
      expect([table, own.length]).toEqual([table, model.rows.get(table) ?? 0])
      expect([table, after.get(table)]).toEqual([table, rows.filter((row) => !belongsTo(model, row))])
    }
  }
  expect(await recount(db)).toEqual([])
})

test('a server with the keys of the tenant in its cache refuses them at once, and accepts them after a restore', async () => {
  const created = await ada.call({
    method: 'POST',
    url: createTenant.url,
    body: { name: 'Gone', subdomain: 'gone', tenant_type: 'product' },
  })
  const { id } = created.json()
  const keys = await Promise.all([1, 2, 3].map(() => makeApiKey(db, { tenant_id: id })))
  for (const { api_key } of keys) expect([await verify(api_key), await verify(api_key)]).toEqual([200, 200])
  expect((await remove(id)).statusCode).toBe(204)
  for (const { api_key } of keys) expect(await lastOtherMs(() => verify(api_key), 401)).toBeLessThan(EFFECTIVE_MS)
  const restore = { method: 'POST', url: restoreTenant.url.replace(':id', id) } as const
  expect((await ada.call(restore)).statusCode).toBe(200)
  for (const { api_key } of keys) expect(await lastOtherMs(() => verify(api_key), 200)).toBeLessThan(EFFECTIVE_MS)
})

test('the users of the tenant cannot sign in, and their addresses are free again after the tenant was permanently deleted', async () => {
  const model = models.slice(TENANTS / 2).find(({ emails }) => emails.length > 1)
  if (model === undefined) throw new Error('The seed makes no tenant with two users.')
  expect((await remove(model.tenant)).statusCode).toBe(204)
  for (const email of model.emails) expect((await api.login(email)).statusCode).toBe(401)
  const other = await makeTenant(db)
  const body = { email: model.emails[0], password: PASSWORD, role: 'admin', tenant_id: other.id }
  const create = async () => await ada.call({ method: 'POST', url: createUser.url, body })
  expect((await create()).json()).toMatchObject({ detail: 'A user of a deleted tenant has this email address.' })
  const purge = { method: 'POST', url: purgeTenant.url.replace(':id', model.tenant) } as const
  expect((await ada.call(purge)).statusCode).toBe(204)
  expect((await create()).statusCode).toBe(201)
})

test('a running run ends with its tenant and leaves no rows', async () => {
  const { id } = await makeTenant(db)
  const task = await makeTask(db, { tenant_id: id })
  const waiting = await makeTask(db, { tenant_id: id })
  await db.transaction().execute(async (trx) => {
    for (const [task_id, delayMs] of [
      [task.id, 0],
      [waiting.id, 1_000],
    ] as const) {
      const values = { task_id, trigger: 'schedule', outcome: 'queued' } as const
      const run = await trx.insertInto('runs').values(values).returning('id').executeTakeFirstOrThrow()
      await worker.queue.enqueue(trx, [{ run_id: run.id, delayMs }])
    }
  })
  await called.promise
  expect((await remove(id)).statusCode).toBe(204)
  answer.resolve()
  const unfinished = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pgboss.job where completed_on is null and data ? 'run_id'`.execute(db)
    return rows[0]?.count
  }
  await expect.poll(unfinished, { timeout: 60_000, interval: 100 }).toBe(0)
  const ids = [task.id, waiting.id]
  expect(await db.selectFrom('runs').select('id').where('task_id', 'in', ids).execute()).toEqual([])
  expect(await db.selectFrom('reviews').select('name').where('task_id', 'in', ids).execute()).toEqual([])
})
