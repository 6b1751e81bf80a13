import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { purgeDeletions } from './deletions.service.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

/** A deleted tenant or user with 2,500 rows; its id. */
async function deleted(daysAgo: number, { table = 'tenants', isPurged = false } = {}): Promise<string> {
  const id = crypto.randomUUID()
  const record = { name: 'Gone Harbor', subdomain: `gone-${id.slice(0, 8)}` }
  await sql`
    insert into deletions (root_id, root_table, is_root, table_name, record, kept_until)
    values (${id}, ${table}, true, ${table}, ${JSON.stringify(record)},
      case when not ${isPurged} then now() + (30 - ${daysAgo}) * interval '1 day' - interval '1 minute' end)`.execute(
    db,
  )
  await sql`
    insert into deletions (root_id, root_table, is_root, table_name, record)
    select ${id}, ${table}, false, 'sessions', jsonb_build_object('id', n) from generate_series(1, 2500) as n`.execute(
    db,
  )
  await sql`
    insert into portal_sign_ins (tenant_id, user_id, at, outcome)
    select ${id}, ${id}, now(), 'done' from generate_series(1, 1500)`.execute(db)
  return id
}
const signInsOf = async (id: string) =>
  (await db.selectFrom('portal_sign_ins').select('id').where('user_id', '=', id).execute()).length
const rowsOf = async (id: string) =>
  (await db.selectFrom('deletions').select('root_id').where('root_id', '=', id).execute()).length
const auditOf = (id: string) =>
  db.selectFrom('audit_entries').orderBy('seq').selectAll().where('target_id', '=', id).execute()

test('30 days after its deletion a tenant is permanently deleted with all its records, and the audit log says so', async () => {
  const [old, young] = [await deleted(30), await deleted(29)]
  const counts = await Promise.all([purgeDeletions({ db }), purgeDeletions({ db })])
  expect(counts.toSorted()).toEqual([0, 1])
  expect([await rowsOf(old), await rowsOf(young)]).toEqual([0, 2_501])
  expect([await signInsOf(old), await signInsOf(young)]).toEqual([0, 1_500])
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
  const id = await deleted(1, { isPurged: true })
  expect(await purgeDeletions({ db })).toBe(0)
  expect([await rowsOf(id), await auditOf(id)]).toEqual([0, []])
})

test('a user goes after 30 days too', async () => {
  const [old, young] = [await deleted(30, { table: 'users' }), await deleted(29, { table: 'users' })]
  expect(await purgeDeletions({ db })).toBe(0)
  expect([await rowsOf(old), await rowsOf(young)]).toEqual([0, 2_501])
  expect([await signInsOf(old), await signInsOf(young)]).toEqual([0, 1_500])
})

test('the records of a tenant that were deleted before the tenant go with it', async () => {
  const [tenant, key] = [await deleted(30), crypto.randomUUID()]
  await sql`
    insert into deletions (root_id, root_table, is_root, table_name, record, kept_until)
    values (${key}, 'api_keys', true, 'api_keys', ${JSON.stringify({ tenant_id: tenant })}, now() + interval '9 days')`.execute(
    db,
  )
  await purgeDeletions({ db })
  expect(await rowsOf(key)).toBe(0)
})
