import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { savedTables, withoutSuperuser } from './schema.queries.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

test('the role that inserts the rows of a backup may do nothing else, and does not exist afterwards', async () => {
  const allRoles = async () => (await sql`select rolname from pg_roles order by rolname`.execute(db)).rows
  const before = await allRoles()
  await db.transaction().execute(async (trx) => {
    const refusalOf = async (statement: string) => {
      await sql`savepoint before`.execute(trx)
      const refusal = await sql
        .raw(statement)
        .execute(trx)
        .then(() => null, String)
      await sql`rollback to before`.execute(trx)
      return refusal
    }
    await withoutSuperuser(trx, await savedTables(trx), async () => {
      await sql`insert into sso_logout_tokens (jti_hash, expires_at) values ('\\x01', now())`.execute(trx)
      for (const statement of [
        'select email from users',
        'delete from audit_log',
        "insert into pg_authid (oid, rolname) values (99999, 'eve')",
        'create role eve superuser',
        "copy tenants (name) from program 'id'",
        'create table eve ()',
      ])
        expect([statement, await refusalOf(statement)]).toEqual([statement, expect.stringMatching(/permission denied/)])
    })
    expect((await sql`select from users`.execute(trx)).rows).toEqual([])
  })
  expect(await allRoles()).toEqual(before)
  expect((await sql`select from sso_logout_tokens`.execute(db)).rows).toHaveLength(1)
})
