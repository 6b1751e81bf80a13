import { randomUUID } from 'node:crypto'
import { connect, type ConnectOptions } from '@switchboard/database/connection/connect'
import { makeApiKey, makeSecret } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'

const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

type FreshServer = { opened?: Promise<void>; limits?: ConnectOptions }

/**
 * A server without any cached text, which counts its queries for texts and gets no answer to them before `opened`. Its
 * statements wait for locks as long as it takes, unless `limits` are given.
 */
async function freshServer({ opened = Promise.resolve(), limits = { isPatient: true } }: FreshServer = {}) {
  const counted = { queries: 0 }
  const pool = connect(databaseUrl, {
    ...limits,
    onLost: () => undefined,
    log: async ({ level, query: { sql: text } }) => {
      if (level === 'error' || !text.includes('prompt_templates')) return
      counted.queries += 1
      await opened
    },
  })
  const app = await buildAiApi(testDeps({ db: pool, directUrl: databaseUrl }))
  onTestFinished(async () => {
    await app.close()
    await pool.destroy()
  })
  const read = ({ api_key }: { api_key: string }) =>
    app.inject({ url: '/v1/prompts/general', headers: { 'x-api-key': api_key } })
  return {
    counted,
    statusOf: async (key: { api_key: string }) => (await read(key)).statusCode,
    statuses: async (keys: { api_key: string }[]) => [
      ...new Set((await Promise.all(keys.map(read))).map(({ statusCode }) => statusCode)),
    ],
    texts: async (keys: { api_key: string }[]) =>
      (await Promise.all(keys.map(read))).map((answer) => answer.json().rendered_content),
  }
}

/** Tenants with different goals, each with a key. */
async function makeReaders(count: number) {
  const run = randomUUID().slice(0, 8)
  const tenants = await db
    .insertInto('tenants')
    .values(
      Array.from({ length: count }, (_, n) => ({
        name: `Tenant ${run} ${n}`,
        subdomain: `tenant-${run}-${n}`,
        tenant_type: 'product' as const,
        goal: `goal ${n}`,
      })),
    )
    .returning(['id', 'goal'])
    .execute()
  const made = tenants.map(({ id: tenant_id, goal }) => {
    const { api_key, ...kept } = makeSecret()
    return { reader: { tenant_id, goal, api_key }, row: { ...kept, tenant_id, name: 'Reader', allowed_origins: [] } }
  })
  const rows = made.map(({ row }) => row)
  await db.insertInto('api_keys').values(rows).execute()
  return made.map(({ reader }) => reader)
}

/** Saves a version of the base template as admin-api does. */
async function publish(template: string): Promise<void> {
  await sql`
    with live as (
      update prompt_templates set version = version + 1 where tenant_id is null returning id, version
    )
    insert into prompt_versions (template_id, version, template)
    select id, version, ${template} from live`.execute(db)
}

test('the first reads of 1,000 tenants share a few queries while PostgreSQL is slow', async () => {
  await publish('{{ goal }}')
  const readers = await makeReaders(1_000)
  const { texts, counted } = await freshServer()
  const slow = db.transaction().execute(async (trx) => {
    await sql`lock table prompt_versions in access exclusive mode`.execute(trx)
    await sql`select pg_sleep(1)`.execute(trx)
  })
  expect(await texts(readers)).toEqual(readers.map(({ goal }) => goal))
  await slow
  expect(counted.queries).toBeLessThan(50)
})

test('a text that changes while it is loaded is not cached', async () => {
  await publish('Old: {{ goal }}')
  const readers = await makeReaders(20)
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { texts, statusOf, counted } = await freshServer({ opened })
  const loading = texts(readers)
  await expect.poll(() => counted.queries).toBeGreaterThan(0)
  await publish('New: {{ goal }}')
  // Changes are announced in order: a server that refuses a key has heard of the new version.
  const later = await makeApiKey(db, { tenant_id: readers[0]?.tenant_id ?? '', is_active: false })
  expect(await statusOf(later)).toBe(401)
  open()
  expect((await loading)[0]).toBe('Old: goal 0')
  expect(await texts(readers)).toEqual(readers.map(({ goal }) => `New: ${goal}`))
})

test('reads are refused with 503 while PostgreSQL answers too late, and no failure is cached', async () => {
  await publish('{{ goal }}')
  const readers = await makeReaders(100)
  // Long enough for the reads after the lock.
  const { statuses } = await freshServer({ limits: { statementTimeoutMs: 1_500 } })
  await db.transaction().execute(async (trx) => {
    await sql`lock table prompt_versions in access exclusive mode`.execute(trx)
    expect(await statuses(readers)).toEqual([503])
  })
  expect(await statuses(readers)).toEqual([200])
})

test('a text that fails for some of the tenants leaves their last good one, and the others get the new one', async () => {
  await publish('Good: {{ goal }}')
  const readers = await makeReaders(20)
  const { texts } = await freshServer()
  expect(await texts(readers)).toEqual(readers.map(({ goal }) => `Good: ${goal}`))
  const [first, ...others] = readers
  await publish('{% if goal == "goal 0" %}{% for i in (1..99999999) %}{% endfor %}{% endif %}New: {{ goal }}')
  await expect.poll(async () => (await texts(others.slice(0, 1)))[0]).toBe('New: goal 1')
  expect(await texts(readers)).toEqual([`Good: ${first?.goal}`, ...others.map(({ goal }) => `New: ${goal}`)])
})
