import { newApiKey } from '@switchboard/contract/api-keys'
import { tenant } from '@switchboard/contract/tenants'
import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import { connect } from '@switchboard/database/connection/connect'
import { makeApiKey, makeManyTenants, makeTask, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { createLogger } from '@switchboard/server/process/log'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { followChanges } from '#apps/ai-api/src/changes.ts'
import { createKeyVerifier } from '#apps/ai-api/src/api-keys/key-verifier.service.ts'
import { hasPgBouncer, startPgBouncer } from '#tests/pgbouncer.ts'
import { SHARED_SECRET, startProcess, tokenAt } from '#tests/server-process.ts'
import { lastOtherMs } from './effective.ts'

// PgBouncer in transaction mode gives every transaction another server process.

const PASSWORD = 'through a pooler as directly'
/** A disabled key is refused after this time. */
const EFFECTIVE_MS = 1_000
/** The setting for PgBouncer after a refused parameter: PgBouncer then ignores the parameter. */
const IGNORED = 'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options'
const POOLER_SENTENCE =
  'DATABASE_URL leads through a transaction pooler. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.\n'

const { db, url: directUrl, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

const startPooler = async (settings: string[] = []) => {
  const pooler = await startPgBouncer(directUrl, settings)
  onTestFinished(() => pooler.stop())
  return pooler.url
}

describe.skipIf(!hasPgBouncer)('a transaction pooler', () => {
  test.for([
    ['refuses our parameters', []],
    ['ignores our parameters', [IGNORED]],
    ['ignores our parameters and has one connection', [IGNORED, 'default_pool_size = 1']],
  ] as const)('that %s stops the start with one line', async ([, settings]) => {
    const DATABASE_URL = await startPooler([...settings])
    const servers = (['apps/admin-api/src/main.ts', 'apps/ai-api/src/main.ts'] as const).map((script) =>
      startProcess({ DATABASE_URL, WEBHOOK_SECRET: SHARED_SECRET }, script),
    )
    for (const { ended } of servers) expect(await ended).toEqual({ code: 1, stderr: POOLER_SENTENCE })
  })

  test('as DATABASE_DIRECT_URL stops the start with one line', async () => {
    const pooler = await startPooler([IGNORED])
    const settings = { DATABASE_URL: directUrl, DATABASE_DIRECT_URL: pooler, WEBHOOK_SECRET: SHARED_SECRET }
    expect(await startProcess(settings).ended).toEqual({
      code: 1,
      stderr:
        'DATABASE_DIRECT_URL must lead to the database of DATABASE_URL, and to PostgreSQL itself instead of a transaction pooler.\n',
    })
  })

  test('in session mode that ignores our settings stops the start with one line', async () => {
    const DATABASE_URL = await startPooler([IGNORED, 'pool_mode = session'])
    expect(await startProcess({ DATABASE_URL, WEBHOOK_SECRET: SHARED_SECRET }).ended).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^A pooler at \S+ ignores the settings of our sessions\. Remove options from its ignore_startup_parameters, or set DATABASE_URL to the address of PostgreSQL itself\.\n$/,
      ),
    })
  })

  test('serves sign-in, lists, writes, key checks and tasks beside DATABASE_DIRECT_URL', async () => {
    const emulator = await startMapsEmulator({ now: () => new Date() })
    onTestFinished(() => emulator.close())
    await makeManyTenants(db, 3_000)
    const server = startProcess({
      DATABASE_URL: await startPooler(),
      DATABASE_DIRECT_URL: directUrl,
      SUPER_ADMIN_PASSWORD: PASSWORD,
      WEBHOOK_SECRET: SHARED_SECRET,
      GOOGLE_MAPS_API_KEY: 'any',
      GOOGLE_PLACES_URL: emulator.url,
    })
    const address = await server.ready()
    await expect.poll(() => server.output()).toContain('AI API')
    const [, aiAddress = ''] = /AI API +([^\s"]+)/.exec(server.output()) ?? []
    const headers = { authorization: `Bearer ${await tokenAt(address, PASSWORD)}`, 'content-type': 'application/json' }
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${address}/api/v1/admin/${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: await answer.json() }
    }

    const created = await call('POST', 'tenants', { name: 'Harbor', subdomain: 'harbor', tenant_type: 'product' })
    const { id: tenant_id } = tenant.parse(created.body)
    // Few at once, so that none waits too long for a connection on a slow machine.
    for (let n = 0; n < 3; n += 1) {
      const whole = await Promise.all([call('GET', 'tenants'), call('GET', 'tenants')])
      for (const { body } of whole) expect(body).toHaveLength(3_001)
    }
    for (let first = 0; first < 50; first += 10) {
      const pages = Array.from({ length: 10 }, (_, n) => call('GET', `tenants?limit=10&q=${first + n}`))
      expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    }

    const added = await call('POST', 'api-keys', { tenant_id, name: 'Till' })
    const { id, api_key } = newApiKey.parse(added.body)
    const check = async () => {
      const body = JSON.stringify({ api_key })
      return (await fetch(`${aiAddress}/v1/keys/verify`, { method: 'POST', headers, body })).status
    }
    // A cached key, at every check of the last half second.
    for (const until = performance.now() + 500; performance.now() < until;) expect(await check()).toBe(200)
    expect((await call('PATCH', `api-keys/${id}/toggle`, { is_active: false })).status).toBe(200)
    expect(await lastOtherMs(check, 401)).toBeLessThan(EFFECTIVE_MS)
    for (const until = performance.now() + 500; performance.now() < until;) expect(await check()).toBe(401)

    const task = await makeTask(db, { tenant_id })
    const { id: super_admin_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const body = { task_id: task.id, super_admin_id, timestamp: new Date().toISOString() }
    const run = await call('POST', `tasks/${task.id}/run`, body)
    expect(run).toMatchObject({ status: 200, body: { result: { execution_status: 'executed' } } })

    server.child.kill('SIGTERM')
    expect(await server.ended).toEqual({ code: 0, stderr: '' })
  })

  test('under the listening connection is detected, and no key is answered from the cache', async () => {
    const logLines: string[] = []
    const log = createLogger('warn', { write: (line) => void logLines.push(line) })
    const changes = followChanges({ db, directUrl: await startPooler([IGNORED]), log })
    const verifier = createKeyVerifier({ db, log }, changes)
    onTestFinished(async () => {
      await changes.stop()
      await verifier.stop()
    })
    const { id, api_key } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
    const outcome = async () => (await verifier.check(api_key, undefined)).outcome
    await expect.poll(() => logLines.length).toBeGreaterThan(0)
    expect(logLines.join()).toContain('a transaction pooler is in between')
    expect(await outcome()).toBe('valid')
    await db.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute()
    expect(await outcome()).toBe('disabled')
  })

  test('keeps the time limits, the time zone and the search path of every statement', async () => {
    const url = new URL(await startPooler(['default_pool_size = 2']))
    url.searchParams.set('options', '-c search_path=public,pg_temp')
    const pooled = connect(url.toString(), { statementTimeoutMs: 1_000, isPooled: true })
    onTestFinished(() => pooled.destroy())
    const settings = sql<{ zone: string; path: string }>`
      select current_setting('timezone') as zone, current_setting('search_path') as path`
    await expect(sql`select pg_sleep(5)`.execute(pooled)).rejects.toMatchObject({ code: '57014' })
    const slow = pooled.transaction().execute((trx) => sql`select pg_sleep(5)`.execute(trx))
    await expect(slow).rejects.toMatchObject({ code: '57014' })
    const expected = { zone: 'UTC', path: 'public,pg_temp' }
    expect((await settings.execute(pooled)).rows).toEqual([expected])
    expect((await pooled.transaction().execute((trx) => settings.execute(trx))).rows).toEqual([expected])
    // Another client of the same server processes has its own settings.
    const other = connect(url.toString(), { isPatient: true, isPooled: true })
    onTestFinished(() => other.destroy())
    const { rows } = await sql`select current_setting('statement_timeout') as ms`.execute(other)
    expect(rows).toEqual([{ ms: '0' }])
  })
})
