import { makeTask, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { connect } from '@switchboard/database/connection/connect'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { endSuspensions } from './suspensions.service.ts'

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
const other = connect(url)
afterAll(async () => {
  await other.destroy()
  await drop()
})

const inSeconds = (seconds: number) => sql<Date>`now() + ${seconds} * interval '1 second'`
const suspended = (endInSeconds: number | null, suspension_reason: string | null = 'Unpaid invoice') =>
  makeTenant(db, {
    status: 'inactive',
    suspension_reason,
    suspended_at: inSeconds(-3_600),
    suspended_until: endInSeconds === null ? null : inSeconds(endInSeconds),
  })
const rowOf = (id: string) => db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const auditOf = (id: string) =>
  db.selectFrom('audit_entries').orderBy('seq').selectAll().where('target_id', '=', id).execute()

test('a tenant whose suspension has ended is reactivated by the worker, which the audit log says', async () => {
  const tenant = await suspended(-1)
  const task = await makeTask(db, { tenant_id: tenant.id })
  expect(task.tenant_status).toBe('inactive')
  expect(await endSuspensions({ db })).toBe(1)
  expect(await rowOf(tenant.id)).toEqual({
    ...tenant,
    status: 'active',
    suspension_reason: null,
    suspended_at: null,
    suspended_until: null,
    task_count: 1,
    version: 2,
    updated_at: expect.any(String),
  })
  expect(await db.selectFrom('tasks').select('tenant_status').where('id', '=', task.id).execute()).toEqual([
    { tenant_status: 'active' },
  ])
  expect(await auditOf(tenant.id)).toMatchObject([
    {
      actor_id: null,
      actor_email: 'task worker',
      action: 'tenants.update',
      outcome: 'done',
      reason: 'The suspension has ended.',
      target_name: tenant.name,
      tenant_id: tenant.id,
      changes: {
        status: { before: 'inactive', after: 'active' },
        suspension_reason: { before: 'Unpaid invoice', after: null },
        suspended_until: { before: tenant.suspended_until, after: null },
      },
    },
  ])
  expect(await endSuspensions({ db })).toBe(0)
})

test('suspensions with a later end, or without one, go on', async () => {
  const tenants = [await suspended(60), await suspended(null), await makeTenant(db, { status: 'inactive' })]
  expect(await endSuspensions({ db })).toBe(0)
  for (const tenant of tenants) expect(await rowOf(tenant.id)).toEqual(tenant)
})

test('two workers at once reactivate each of 40 tenants once', async () => {
  const tenants: { id: string }[] = []
  for (let n = 0; n < 40; n += 1) tenants.push(await suspended(-n, null))
  const ended = await Promise.all([endSuspensions({ db }), endSuspensions({ db: other })])
  expect(ended.reduce((sum, count) => sum + count)).toBe(40)
  for (const { id } of tenants) {
    expect(await rowOf(id)).toMatchObject({ status: 'active', version: 2 })
    expect(await auditOf(id)).toHaveLength(1)
  }
})

test('a tenant that an admin is changing is left to the next search', async () => {
  const { id } = await suspended(-1)
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('tenants').select('id').where('id', '=', id).forUpdate().execute()
    expect(await endSuspensions({ db: other })).toBe(0)
    await trx
      .updateTable('tenants')
      .set({ suspended_until: inSeconds(60) })
      .where('id', '=', id)
      .execute()
  })
  expect(await endSuspensions({ db })).toBe(0)
  expect(await rowOf(id)).toMatchObject({ status: 'inactive' })
})

test('without its audit entry no tenant is reactivated', async () => {
  const { id } = await suspended(-1)
  await sql`alter table audit_unsealed add constraint no_rows check (id < 0) not valid`.execute(db)
  await expect(endSuspensions({ db })).rejects.toThrow('no_rows')
  expect(await rowOf(id)).toMatchObject({ status: 'inactive', version: 1 })
  await sql`alter table audit_unsealed drop constraint no_rows`.execute(db)
  expect(await endSuspensions({ db })).toBe(1)
})
