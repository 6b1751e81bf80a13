import { readdir, readFile } from 'node:fs/promises'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfDatabase } from '@switchboard/database/connection/database-url'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'

// PostgreSQL 15.20 and 17.12 refuse to alter a table while a function uses its row type. The embedded PostgreSQL does
// not, so an event trigger refuses the same here.

const folder = new URL('../../packages/database/src/migrations/', import.meta.url)
const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()

const server = connect(inject('postgresUrl'), { isPatient: true })
await sql`drop database if exists row_types with (force)`.execute(server)
await sql`create database row_types`.execute(server)
const db = connect(urlOfDatabase(inject('postgresUrl'), 'row_types'), { max: 1, onLost: () => undefined })
afterAll(async () => {
  await db.destroy()
  await sql`drop database row_types with (force)`.execute(server)
  await server.destroy()
})

test('no migration alters a table while a function uses its row type', async () => {
  await sql`create view row_type_uses as
    select pg_type.typrelid as table, pg_depend.objid::regprocedure::text as function
    from pg_depend
    join pg_type on pg_depend.refclassid = 'pg_type'::regclass and pg_type.oid = pg_depend.refobjid
    join pg_class on pg_class.oid = pg_type.typrelid and pg_class.relkind in ('r', 'p')
    where pg_depend.classid = 'pg_proc'::regclass`.execute(db)
  await sql`create function refuse_altered_row_type() returns event_trigger language plpgsql as $$
    declare
      used record;
    begin
      for used in
        select command.object_identity, uses.function
        from pg_event_trigger_ddl_commands() as command join public.row_type_uses as uses on uses.table = command.objid
      loop
        raise exception 'cannot alter % because % uses its row type', used.object_identity, used.function;
      end loop;
    end $$`.execute(db)
  await sql`create event trigger refuse_altered_row_type on ddl_command_end when tag in ('ALTER TABLE')
    execute function refuse_altered_row_type()`.execute(db)
  for (const file of files) {
    const statements = await readFile(new URL(file, folder), 'utf8')
    const problem = await sql
      .raw(statements)
      .execute(db)
      .then(() => null, String)
    expect(problem, file).toBeNull()
  }
})

test('no function of the migrated database uses the row type of a table', async () => {
  const { rows } = await sql<{ function: string }>`select function from row_type_uses`.execute(db)
  expect(rows).toEqual([])
})
