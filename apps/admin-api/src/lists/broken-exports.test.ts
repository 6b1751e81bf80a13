import { EXPORT_ROWS_HEADER } from '@switchboard/contract/csv/exports'
import { tenantList } from '@switchboard/contract/tenants'
import { connect } from '@switchboard/database/connection/connect'
import { makeManyTenants } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const ROWS = 20_000
const BROKEN_OFF = new RegExp(`^The export broke off after \\d{1,4} of ${ROWS} rows\\.$`)

const api = await startTestApi()
const { db } = api
const actor = await api.signIn('ada@example.com')
const patient = connect(api.databaseUrl, { isPatient: true })
await makeManyTenants(patient, ROWS)
// More than the system buffers for a client.
await sql`update tenants set goal = repeat('g', 2000)`.execute(patient)
await patient.destroy()
const address = await api.app.listen({ port: 0, host: '127.0.0.1' })

const begin = async ({ token = actor.token, signal }: { token?: string; signal?: AbortSignal } = {}) => {
  const answer = await fetch(`${address}${tenantList.export.url}`, {
    method: tenantList.export.method,
    headers: { authorization: `Bearer ${token}` },
    ...(signal && { signal }),
  })
  expect(answer.headers.get(EXPORT_ROWS_HEADER)).toBe(String(ROWS))
  return answer
}

const entries = async () =>
  await db
    .selectFrom('audit_entries')
    .select(['actor_email', 'outcome', 'reason'])
    .where('action', '=', tenantList.export.schema.operationId)
    .orderBy('seq')
    .execute()

test('an aborted download is recorded with the number of sent rows', async () => {
  const leaving = new AbortController()
  await begin({ signal: leaving.signal })
  leaving.abort()
  await expect.poll(entries).toEqual([
    { actor_email: 'ada@example.com', outcome: 'done', reason: null },
    {
      actor_email: 'ada@example.com',
      outcome: 'refused',
      reason: expect.stringMatching(BROKEN_OFF),
    },
  ])
})

test('an export breaks off when its session ends', async () => {
  const leaving = await api.signIn('leaving@example.com')
  const answer = await begin({ token: leaving.token })
  await leaving.call({ method: 'POST', url: '/api/v1/admin/auth/logout' })
  expect(await answer.text().catch(() => 'cut')).toBe('cut')
  expect((await entries()).slice(-2)).toEqual([
    { actor_email: 'leaving@example.com', outcome: 'done', reason: null },
    { actor_email: 'leaving@example.com', outcome: 'refused', reason: expect.stringMatching(BROKEN_OFF) },
  ])
})

test('a database failure cuts the connection, so that a partial file is not taken for a complete one', async () => {
  const answer = await begin()
  const cut = async () => {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(db)
    return rows.length
  }
  await expect.poll(cut).toBe(1)
  expect(await answer.text().catch(() => 'cut')).toBe('cut')
  expect((await entries()).at(-1)).toMatchObject({ outcome: 'refused' })
})

test('an export read to its end leaves one entry and no transaction', async () => {
  const before = (await entries()).length
  expect((await (await begin()).text()).split('\r\n')).toHaveLength(ROWS + 2)
  expect(await entries()).toHaveLength(before + 1)
  const open = await sql`
    select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`.execute(db)
  expect(open.rows).toEqual([])
})
