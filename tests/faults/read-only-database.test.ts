import { connect } from '@switchboard/database/connection/connect'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'

// A primary demoted to a standby, and a primary without disk space, take connections and refuse changes.

/** Connections of the pool. */
const CONNECTIONS = 10
const READ_ONLY = 'The database accepts no changes at the moment. Try again in a moment.'
const DISK_FULL = 'The database has no disk space left. Try again later.'

const api = await startTestApi()
const { admin, call } = await api.signIn()
const operator = connect(api.databaseUrl, { max: 1, isPatient: true })
afterAll(() => operator.destroy())

const newTenant = () => {
  const name = crypto.randomUUID()
  return call({ method: 'POST', url: '/api/v1/admin/tenants', body: { name, subdomain: name, tenant_type: 'product' } })
}
const signIn = () => api.login(admin.email)
const readiness = () => api.app.inject('/readyz')

/** Sets the rights of new sessions of this database, and ends the existing sessions unless `isKept`. */
async function setReadOnly(isReadOnly: boolean, { isKept }: { isKept: boolean }): Promise<void> {
  await operator.connection().execute(async (connection) => {
    await sql`set default_transaction_read_only = off`.execute(connection)
    const name = sql.id(new URL(api.databaseUrl).pathname.slice(1))
    await sql`alter database ${name} set default_transaction_read_only = ${sql.lit(isReadOnly ? 'on' : 'off')}`.execute(
      connection,
    )
    if (!isKept)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(connection)
  })
}

test('a read-only database is 503 with a sentence, not ready, until changes are possible again', async () => {
  expect((await newTenant()).statusCode).toBe(201)
  await setReadOnly(true, { isKept: false })
  await expect.poll(async () => (await newTenant()).json()).toMatchObject({ detail: READ_ONLY })
  for (const send of [newTenant, signIn]) {
    const answer = await send()
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toMatchObject([
      503,
      '2',
      { detail: READ_ONLY },
    ])
  }
  expect((await readiness()).statusCode).toBe(503)
  const list = await call({ method: 'GET', url: '/api/v1/admin/tenants?limit=1' })
  expect(list.statusCode).toBe(200)

  // All connections are open and read-only.
  await Promise.all(Array.from({ length: CONNECTIONS }, readiness))
  await setReadOnly(false, { isKept: true })
  // Each connection is dropped after its first refused change.
  const answers = await Promise.all(Array.from({ length: 3 * CONNECTIONS }, newTenant))
  expect(answers.filter(({ statusCode }) => statusCode === 503).length).toBeLessThanOrEqual(CONNECTIONS)
  expect(answers.filter(({ statusCode }) => statusCode === 201).length).toBeGreaterThanOrEqual(2 * CONNECTIONS)
  for (const send of [newTenant, signIn, readiness]) expect((await send()).statusCode).toBeLessThan(300)
})

test('a database without disk space is 503 with a sentence, and counted', async () => {
  onTestFinished(async () => {
    await sql`drop function fail_with_full_disk cascade`.execute(operator)
  })
  await sql`
    create function fail_with_full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger fail_with_full_disk before insert on tenants execute function fail_with_full_disk();
    create trigger fail_with_full_disk before insert on sessions execute function fail_with_full_disk()`.execute(
    operator,
  )
  for (const send of [newTenant, signIn]) {
    const answer = await send()
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toMatchObject([
      503,
      '2',
      { detail: DISK_FULL },
    ])
  }
  expect(await api.app.metrics.metrics()).toContain('\ndatabase_disk_full_total{pool="main"} 2\n')
})
