import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/**
 * Lets `failAt` choose the failing statement: triggers of every table count down at each write. Sign-in attempts are
 * counted outside of the transactions, so parallel attempts cannot outrun the count.
 */
export async function prepareWriteFaults(db: Kysely<Database>): Promise<void> {
  // A sequence also counts in transactions that are rolled back.
  await sql`create sequence writes_left increment -1 minvalue -1000000 maxvalue 1000 start -1`.execute(db)
  await sql`create function fail_after_write() returns trigger language plpgsql as $$
    begin
      if nextval('writes_left') = 0 then raise exception 'A fault was injected after a write to %.', tg_table_name; end if;
      return null;
    end $$`.execute(db)
  await sql`do $$
    declare
      name text;
    begin
      for name in
        select tablename from pg_tables
        where schemaname = 'public' and tablename not like 'kysely_%' and tablename not like 'sign_in_%'
      loop
        execute format('create trigger fail_after_write after insert or update or delete on %I
          execute function fail_after_write()', name);
      end loop;
    end $$`.execute(db)
}

/** Makes the `n`th writing statement from now on fail, after its write. 0 for none. */
export async function failAt(db: Kysely<Database>, n: number): Promise<void> {
  await sql`select setval('writes_left', ${n === 0 ? -1 : n}::bigint)`.execute(db)
}
