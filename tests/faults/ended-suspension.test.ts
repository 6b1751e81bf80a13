import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startAiApi, startWorker } from '#tests/server-process.ts'

/** A worker searches for ended suspensions at its start. */
const ACTIVATED_MS = 20_000
/** An ai-api follows a change within this time. */
const EFFECTIVE_MS = 1_000

test('a worker killed while it ends a suspension leaves the tenant to others, which activate it once', async () => {
  const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
  const processes = [startAiApi({ databaseUrl })]
  onTestFinished(async () => {
    for (const { child } of processes) child.kill('SIGKILL')
    await Promise.all(processes.map(({ ended }) => ended))
    await drop()
  })
  const { id } = await makeTenant(db, {
    status: 'inactive',
    suspension_reason: 'Unpaid invoice',
    suspended_until: sql<Date>`now() - interval '1 second'`,
  })
  const { api_key } = await makeApiKey(db, { tenant_id: id })
  const aiAddress = await processes[0]?.ready()
  const verified = async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ api_key })
    return (await fetch(`${aiAddress}/v1/keys/verify`, { method: 'POST', headers, body })).status
  }
  const statusNow = async () =>
    (await db.selectFrom('tenants').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
  /** Number of statements that wait for a lock. */
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length
  }
  /** Whether no transaction locks the tenant. */
  const isFree = async () => {
    const tenant = db.selectFrom('tenants').select('id').where('id', '=', id).forUpdate().skipLocked()
    return (await tenant.execute()).length === 1
  }
  expect(await verified()).toBe(401)

  await db.transaction().execute(async (trx) => {
    // The victim waits to write its audit entry, after its change of the tenant.
    await sql`lock table audit_unsealed in share mode`.execute(trx)
    const victim = startWorker({ databaseUrl })
    processes.push(victim)
    await expect.poll(waiting, { timeout: ACTIVATED_MS }).toBe(1)
    victim.child.kill('SIGKILL')
    await victim.ended
  })
  await expect.poll(isFree, { timeout: ACTIVATED_MS }).toBe(true)
  expect([await statusNow(), await verified()]).toEqual(['inactive', 401])

  processes.push(startWorker({ databaseUrl }), startWorker({ databaseUrl }))
  await expect.poll(statusNow, { timeout: ACTIVATED_MS }).toBe('active')
  await expect.poll(verified, { timeout: EFFECTIVE_MS }).toBe(200)
  const audited = await db.selectFrom('audit_entries').select('reason').where('target_id', '=', id).execute()
  expect(audited).toEqual([{ reason: 'The suspension has ended.' }])
})
