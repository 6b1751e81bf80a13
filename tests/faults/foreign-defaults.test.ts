import { auditEnd } from '@switchboard/database/audit/audit-chain'
import { connect } from '@switchboard/database/connection/connect'
import { createJobDatabase } from '@switchboard/database/connection/job-database'
import { listen } from '@switchboard/database/connection/listener'
import { OUR_SETTINGS } from '@switchboard/database/connection/session-settings'
import { openSingleConnection } from '@switchboard/database/connection/single-connection'
import { pause } from '@switchboard/database/pause'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import { createEmptyDatabase } from '@switchboard/testing/test-database'
import { type Kysely, sql } from 'kysely'
import type { Database } from '@switchboard/database/tables'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createTenant } from '@switchboard/contract/tenants'
import { hasPgBouncer, startPgBouncer } from '#tests/pgbouncer.ts'
import { SHARED_SECRET, startProcess, tokenAt } from '#tests/server-process.ts'

// A database whose defaults differ in everything that Switchboard relies on.

const PASSWORD = 'whatever the defaults are'
const DEFAULTS: Record<string, string> = {
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  timezone: 'Asia/Kathmandu',
  datestyle: 'SQL, DMY',
  intervalstyle: 'iso_8601',
  extra_float_digits: '-15',
  bytea_output: 'escape',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  quote_all_identifiers: 'on',
  gin_fuzzy_search_limit: '1',
  idle_session_timeout: '300',
  exit_on_error: 'on',
  transform_null_equals: 'on',
  row_security: 'off',
  jit_above_cost: '0',
  statement_timeout: '250',
  lock_timeout: '1',
  idle_in_transaction_session_timeout: '250',
  transaction_timeout: '250',
}

const { url, drop } = await createEmptyDatabase(inject('postgresUrl'))
beforeAll(async () => {
  const server = connect(inject('postgresUrl'), { max: 1 })
  const name = new URL(url).pathname.slice(1)
  for (const [setting, value] of Object.entries(DEFAULTS))
    await sql`alter database ${sql.id(name)} set ${sql.id(setting)} to ${sql.lit(value)}`.execute(server)
  await server.destroy()
  await migrateDatabase(url)
})
afterAll(drop)

/** The values of our settings in a session, and the isolation of its current transaction. */
async function settingsIn(db: Kysely<Database>) {
  const { rows } = await sql<{ name: string; value: string }>`
    select name, current_setting(name) as value from pg_settings
    where lower(name) = any(${Object.keys(OUR_SETTINGS)}::text[]) or name in ('transaction_isolation', 'transaction_timeout')`.execute(
    db,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name.toLowerCase(), value]))
}
const OURS = {
  ...Object.fromEntries(Object.entries(OUR_SETTINGS).map(([name, value]) => [name, String(value)])),
  transaction_isolation: 'read committed',
  transaction_timeout: '0',
}

// The isolation of the next transaction is named when it begins.
const ofTransactions = Object.fromEntries(
  Object.entries(OURS).filter(([name]) => name !== 'default_transaction_isolation'),
)

/** Longer than the time limits, which leave a busy machine the time to replace them. */
const sleeping = sql`select pg_sleep(0.4)`

describe('our settings hold in', () => {
  test.for([{}, { isPatient: true }])('the sessions of a pool %o', async (options) => {
    const db = connect(url, { max: 1, ...options })
    onTestFinished(() => db.destroy())
    expect(await settingsIn(db)).toEqual(OURS)
    expect(await db.transaction().execute(settingsIn)).toEqual(OURS)
    await db.transaction().execute((trx) => sleeping.execute(trx))
  })

  test.skipIf(!hasPgBouncer)('the transactions behind a transaction pooler', async () => {
    const pooler = await startPgBouncer(url)
    onTestFinished(() => pooler.stop())
    const db = connect(pooler.url, { max: 2, isPooled: true })
    onTestFinished(() => db.destroy())
    expect(await settingsIn(db)).toMatchObject(ofTransactions)
    expect(await db.transaction().execute(settingsIn)).toMatchObject(ofTransactions)
    await db.transaction().execute((trx) => sleeping.execute(trx))
  })

  test('a single connection', async () => {
    const { db, close } = await openSingleConnection(url)
    onTestFinished(close)
    expect(await settingsIn(db)).toEqual(OURS)
    await sleeping.execute(db)
  })

  test('the connections of the job queue, which stay open while they are idle', async () => {
    const db = connect(url, { max: 1 })
    const lost: unknown[] = []
    const jobs = createJobDatabase(url, {
      db,
      max: 1,
      outcomes: { failed: (error) => lost.push(error), worked: () => undefined },
    })
    onTestFinished(async () => {
      await jobs.close()
      await db.destroy()
    })
    const names = Object.keys(OUR_SETTINGS).map((name) => `'${name}', current_setting('${name}')`)
    const read = `select pg_backend_pid() as pid, json_build_object(${names.join(', ')}) as settings, pg_sleep(0.4)`
    const { rows } = await jobs.executeSql(read)
    expect(rows).toMatchObject([
      { settings: Object.fromEntries(Object.entries(OUR_SETTINGS).map(([name, value]) => [name, String(value)])) },
    ])
    await pause(500, new AbortController().signal)
    expect((await jobs.executeSql(read)).rows).toMatchObject([{ pid: pidOf(rows) }])
    expect(lost).toEqual([])
  })

  test('the listening connection', async () => {
    const db = connect(url, { max: 1 })
    const lost: unknown[] = []
    const heard: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const listener = listen(
      { url, db, channel: 'foreign', heartbeatMs: 1_000 },
      { onMessage: (text) => heard.push(text), onConnect: resolve, onLost: (error) => lost.push(error) },
    )
    onTestFinished(async () => {
      await listener.stop()
      await db.destroy()
    })
    await promise
    await pause(1_500, new AbortController().signal)
    await sql`select pg_notify('foreign', 'still here')`.execute(db)
    await expect.poll(() => heard).toEqual(['still here'])
    expect(lost).toEqual([])
  })
})

describe('a server', () => {
  test.for(['directly', 'through a pooler'])('creates 20 tenants, four at once, %s', async (way, { skip }) => {
    skip(way !== 'directly' && !hasPgBouncer, 'needs PgBouncer')
    const pooler = way === 'directly' ? undefined : await startPgBouncer(url)
    onTestFinished(async () => await pooler?.stop())
    const server = startProcess({
      DATABASE_URL: pooler?.url ?? url,
      DATABASE_DIRECT_URL: url,
      SUPER_ADMIN_PASSWORD: PASSWORD,
      WEBHOOK_SECRET: SHARED_SECRET,
    })
    const address = await server.ready()
    const token = await tokenAt(address, PASSWORD)
    const create = async (n: number) => {
      const answer = await fetch(`${address}${createTenant.url}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Harbor ${n}`, subdomain: `${way.slice(0, 3)}-${n}`, tenant_type: 'product' }),
      })
      return answer.status
    }
    // Fewer than the connections of the server, so that none waits too long for one or for a lock on a slow machine.
    for (let first = 0; first < 20; first += 4)
      expect(await Promise.all(Array.from({ length: 4 }, (_, n) => create(first + n)))).toEqual(Array(4).fill(201))
    server.child.kill('SIGTERM')
    expect(await server.ended).toEqual({ code: 0, stderr: '' })
  })

  test('keeps the audit log that its commands verify', async () => {
    const verify = startProcess({ DATABASE_URL: url }, 'scripts/audit-verify.ts')
    expect(await verify.ended).toEqual({ code: 0, stderr: '' })
    const db = connect(url, { max: 1 })
    onTestFinished(() => db.destroy())
    expect((await auditEnd(db)).seq).toBeGreaterThan(0)
  })
})

const pidOf = (rows: readonly object[]): unknown => Object.entries(rows[0] ?? {}).find(([name]) => name === 'pid')?.[1]
