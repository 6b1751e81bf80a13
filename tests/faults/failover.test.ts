import { connect } from '@switchboard/database/connection/connect'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { ONCE } from '@switchboard/database/start/until-started'
import { migrateDatabase } from '@switchboard/server/process/open-database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedPostgres, startInstalledPostgres } from '#tests/installed-postgres.ts'
import { SHARED_SECRET, startProcess, tokenAt } from '#tests/server-process.ts'
import { lastOtherMs } from './effective.ts'

// A primary and its standby, both in DATABASE_URL: the standby is promoted.

const PASSWORD = 'one host after the other'
/** Requests are served again after this time, counted from the promotion. */
const RECOVERED_MS = 10_000
/** A disabled key is refused after this time. */
const EFFECTIVE_MS = 1_000

const [bin = ''] = installedPostgres()

describe.skipIf(bin === '')('a standby', () => {
  let primary: Awaited<ReturnType<typeof startInstalledPostgres>>
  let standby: typeof primary
  beforeAll(async () => {
    primary = await startInstalledPostgres(bin)
    standby = await startInstalledPostgres(bin, primary.url)
  })
  afterAll(async () => {
    await Promise.all([primary.stop(), standby.stop()])
  })

  test('without its primary in the URL stops the start with one line', async () => {
    await expect(migrateDatabase(standby.url, { patience: ONCE })).rejects.toThrow(
      /^The database \S+ is read-only: a standby, or changes are switched off\. Check DATABASE_URL\.$/,
    )
  })

  test('is skipped while the primary lives, and serves after its promotion', async () => {
    const url = new URL(primary.url)
    const hosts = [standby, primary].map((each) => new URL(each.url).searchParams.get('host'))
    url.searchParams.set('host', hosts.join(','))
    const server = startProcess({
      DATABASE_URL: url.toString(),
      SUPER_ADMIN_PASSWORD: PASSWORD,
      WEBHOOK_SECRET: SHARED_SECRET,
    })
    const address = await server.ready()
    const [, aiAddress = ''] = /AI API +([^\s"]+)/.exec(server.output()) ?? []
    const json = { 'content-type': 'application/json' }
    const headers = { authorization: `Bearer ${await tokenAt(address, PASSWORD)}`, ...json }
    const newTenant = async () => {
      const name = crypto.randomUUID()
      const body = JSON.stringify({ name, subdomain: name, tenant_type: 'product' })
      const answer = await fetch(`${address}/api/v1/admin/tenants`, { method: 'POST', headers, body })
      return answer.status === 201 ? 201 : await answer.text()
    }
    expect(await newTenant()).toBe(201)

    const before = connect(primary.url, { onLost: () => {} })
    const { api_key, id } = await makeApiKey(before, { tenant_id: (await makeTenant(before)).id })
    await before.destroy()
    const check = async () => {
      const body = JSON.stringify({ api_key })
      return (await fetch(`${aiAddress}/v1/keys/verify`, { method: 'POST', headers: json, body })).status
    }
    expect(await check()).toBe(200)

    const after = connect(standby.url, { onLost: () => {} })
    await expect
      .poll(async () => await after.selectFrom('api_keys').select('id').where('id', '=', id).executeTakeFirst())
      .toEqual({ id })
    await primary.stop()
    for (let n = 0; n < 3; n += 1) {
      const answer = await fetch(`${address}/api/v1/admin/tenants?limit=1`, { headers })
      expect([answer.status, answer.headers.get('retry-after'), await check()]).toEqual([503, '2', 503])
    }
    await sql`select pg_promote()`.execute(after)
    await expect.poll(newTenant, { timeout: RECOVERED_MS }).toBe(201)
    await expect.poll(check, { timeout: RECOVERED_MS }).toBe(200)
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: RECOVERED_MS }).toBe(200)
    await after.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute()
    expect(await lastOtherMs(check, 401)).toBeLessThan(EFFECTIVE_MS)
    await after.destroy()
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  })
})
