import { readdir, readFile } from 'node:fs/promises'
import { urlOfDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { connect } from './connection/connect.ts'

const folder = new URL('./migrations/', import.meta.url)
const MIGRATION = '0061_folded_emails.sql'

test('the migration folds the addresses of users, links, deleted users and users of deleted tenants', async () => {
  const server = connect(inject('postgresUrl'))
  await sql`create database folded_emails`.execute(server)
  const db = connect(urlOfDatabase(inject('postgresUrl'), 'folded_emails'))
  const run = async (file: string) => await sql.raw(await readFile(new URL(file, folder), 'utf8')).execute(db)
  for (const file of (await readdir(folder)).toSorted().filter((name) => name < MIGRATION)) await run(file)

  const deleted = { id: crypto.randomUUID(), email: 'Grace@Example.com', role: 'support', tenant_id: null }
  const records = [
    {
      table: 'users',
      rows: [{ ...deleted, password_hash: 'none', is_active: true, created_at: '2026-11-20T00:00:00Z' }],
    },
    { table: 'machine_tokens', column: 'created_by_id', ids: [crypto.randomUUID()] },
  ]
  await sql`insert into users (email, password_hash, role) values ('Ada@Example.com', 'none', 'super_admin')`.execute(
    db,
  )
  await sql`
    insert into links (kind, email, created_at, expires_at)
    values ('password_reset', 'Ada@example.com', now(), now())`.execute(db)
  await sql`
    insert into deletions (id, table_name, records)
    values (${deleted.id}, 'users', ${JSON.stringify(records)})`.execute(db)
  await sql`
    insert into deleted_records (tenant_id, table_name, record)
    values (gen_random_uuid(), 'users', '{"email": "Linus@Example.com"}'), (gen_random_uuid(), 'tasks', '{}')`.execute(
    db,
  )
  await run(MIGRATION)

  await sql`select restore_deletion(${deleted.id})`.execute(db)
  expect((await sql`select email, folded_email, search_text from users order by email`.execute(db)).rows).toEqual([
    { email: 'Ada@Example.com', folded_email: 'ada@example.com', search_text: ' ada@example.com' },
    { email: 'Grace@Example.com', folded_email: 'grace@example.com', search_text: ' grace@example.com' },
  ])
  expect((await sql`select folded_email from links`.execute(db)).rows).toEqual([{ folded_email: 'ada@example.com' }])
  expect((await sql`select record from deleted_records order by table_name`.execute(db)).rows).toEqual([
    { record: {} },
    { record: { email: 'Linus@Example.com', folded_email: 'linus@example.com' } },
  ])
  const forgotten = sql`update users set email = 'other@example.com' where email = 'Ada@Example.com'`
  await expect(forgotten.execute(db)).rejects.toThrow(/users_folded_email_of_email/)

  await db.destroy()
  await sql`drop database folded_emails`.execute(server)
  await server.destroy()
})
