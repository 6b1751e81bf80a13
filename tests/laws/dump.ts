import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** All rows of all tables as text, without the tables in `except`. */
export async function dumpOf(db: Kysely<Database>, except: readonly string[] = []): Promise<string> {
  const tables = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  const texts = tables.rows
    .filter(({ name }) => !except.includes(name))
    .map(async ({ schema, name }) => {
      const { rows } = await sql<{ row: string }>`
      select record::text as row from ${sql.table(`${schema}.${name}`)} as record`.execute(db)
      return rows.map(({ row }) => row).join('\n')
    })
  return (await Promise.all(texts)).join('\n')
}
