import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startAiApi, startWorker } from '#tests/server-process.ts'
import { lastOtherMs } from './effective.ts'

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
  /** Number of audit entries that wait for a lock. */
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query ~ 'insert into "audit_unsealed"'`.execute(db)
    return rows.length
  }
  /** Whether no transaction locks the tenant. */
  const isFree = async () => {
    const tenant = db.selectFrom('tenants').select('id').where('id', '=', id).forUpdate().skipLocked()
    return (await tenant.execute()).length === 1
  }
  expect(await verified()).toBe(401)

  await db.transaction().execute(async (trx) => {
    // A worker may take longer to start than an idle transaction may last.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    // The victim waits to write its audit entry, after its change of the tenant.
    await sql`lock table audit_unsealed in share mode`.execute(trx)
    const victim = startWorker({ databaseUrl })
    processes.push(victim)
    await victim.ready()
    await expect.poll(waiting, { interval: 20 }).toBe(1)
    victim.child.kill('SIGKILL')
    await victim.ended
  })
  await expect.poll(isFree).toBe(true)
  expect([await statusNow(), await verified()]).toEqual(['inactive', 401])

  const others = [startWorker({ databaseUrl }), startWorker({ databaseUrl })]
  processes.push(...others)
  await Promise.all(others.map(({ ready }) => ready()))
  await expect.poll(statusNow).toBe('active')
  expect(await lastOtherMs(verified, 200)).toBeLessThan(EFFECTIVE_MS)
  const audited = await db.selectFrom('audit_entries').select('reason').where('target_id', '=', id).execute()
  expect(audited).toEqual([{ reason: 'The suspension has ended.' }])
})
