import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { purgeTenants } from './deleted-tenants.service.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

/** A deleted tenant with 2,500 records and as many sign-ins to its portal; its id. */
async function deleted(daysAgo: number, purged = false): Promise<string> {
  const id = crypto.randomUUID()
  await sql`
    insert into deleted_tenants (id, name, subdomain, record, deleted_at, purged_at)
    values (${id}, 'Gone Harbor', ${`gone-${id.slice(0, 8)}`}, '{}', now() - ${daysAgo} * interval '1 day' - interval '1 minute',
      case when ${purged} then now() end)`.execute(db)
  await sql`
    insert into deleted_records (tenant_id, table_name, record)
    select ${id}, 'users', jsonb_build_object('email', n || '@example.com') from generate_series(1, 2500) as n`.execute(
    db,
  )
  await sql`
    insert into portal_sign_ins (tenant_id, at, outcome) select ${id}, now(), 'done' from generate_series(1, 2500)`.execute(
    db,
  )
  return id
}
const recordsOf = async (id: string) =>
  (await db.selectFrom('deleted_records').select('tenant_id').where('tenant_id', '=', id).execute()).length +
  (await db.selectFrom('portal_sign_ins').select('tenant_id').where('tenant_id', '=', id).execute()).length
const isKept = async (id: string) =>
  (await db.selectFrom('deleted_tenants').select('id').where('id', '=', id).execute()).length === 1
const auditOf = (id: string) => db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).execute()

test('30 days after its deletion a tenant is permanently deleted with all its records, and the audit log says so', async () => {
  const [old, young] = [await deleted(30), await deleted(29)]
  const counts = await Promise.all([purgeTenants({ db }), purgeTenants({ db })])
  expect(counts.toSorted()).toEqual([0, 1])
  expect([await isKept(old), await recordsOf(old)]).toEqual([false, 0])
  expect([await isKept(young), await recordsOf(young)]).toEqual([true, 5_000])
  expect(await auditOf(old)).toMatchObject([
    {
      actor_email: 'task worker',
      action: 'tenants.purge',
      outcome: 'done',
      reason: 'The tenant was deleted 30 days ago.',
      target_name: 'Gone Harbor',
      tenant_id: old,
    },
  ])
  expect(await auditOf(young)).toEqual([])
})

test('a tenant that an admin has permanently deleted goes with all its records, without a second audit row', async () => {
  const id = await deleted(1, true)
  expect(await purgeTenants({ db })).toBe(0)
  expect([await isKept(id), await recordsOf(id), await auditOf(id)]).toEqual([false, 0, []])
})
