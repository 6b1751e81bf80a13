import { jobSchema } from '@switchboard/database/connection/job-database'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'
import { escapeIdentifier } from 'pg'

/** The table without rows in a backup: a restore runs the migrations again. */
const LEFT_OUT = 'migrations'

/** A table of the schema for new tables, and its columns without the generated ones. */
export type Table = { name: string; columns: string[] }

/** All tables with rows in a backup, in a fixed order. */
export async function savedTables(db: Kysely<Database>): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = quote_ident(current_schema())::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped and attgenerated = '' and relname <> ${LEFT_OUT}
    group by relname order by relname`.execute(db)
  return rows
}

/** The statement before the rows of a table in a backup. */
export function copyStatement(table: Table): string {
  return `COPY ${escapeIdentifier(table.name)} (${columnsOf(table)}) FROM STDIN;`
}

/** The statement that reads all rows of a table. */
export function copyQuery(table: Table): string {
  return `copy (select ${columnsOf(table)} from ${escapeIdentifier(table.name)}) to stdout`
}

function columnsOf({ columns }: Table): string {
  return columns.map((column) => escapeIdentifier(column)).join(', ')
}

/** Keeps the columns of the tables as they are until the end of the transaction. The lock takes no snapshot. */
export async function lockTables(trx: Transaction<Database>, tables: readonly Table[]): Promise<void> {
  await sql`lock table ${namesOf(tables)} in access share mode`.execute(trx)
}

/** Facts for the header of a backup. */
export async function headerFacts(trx: Transaction<Database>) {
  const { rows } = await sql<{ migration: string; made_at: string; postgresql: string }>`
    select (select name from migrations order by name desc limit 1) as migration, now() as made_at,
      current_setting('server_version') as postgresql`.execute(trx)
  const [facts] = rows
  if (facts === undefined) throw new Error('PostgreSQL returned no row.')
  return facts
}

/** The number of rows of each table. */
export async function rowCounts(trx: Transaction<Database>, tables: readonly Table[]): Promise<Record<string, number>> {
  const counts = tables.map(({ name }) => sql`select ${name}::text as name, count(*) as rows from ${sql.id(name)}`)
  const { rows } = await sql<{ name: string; rows: number }>`${sql.join(counts, sql` union all `)}`.execute(trx)
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]))
}

/** The last values of the used sequences. */
export async function sequenceValues(trx: Transaction<Database>): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; value: number }>`
    select sequencename as name, last_value as value from pg_sequences
    where schemaname = current_schema() and last_value is not null order by sequencename`.execute(trx)
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** Names of all sequences. */
export async function sequenceNames(trx: Transaction<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select sequencename as name from pg_sequences where schemaname = current_schema()`.execute(trx)
  return rows.map(({ name }) => name)
}

export async function setSequences(trx: Transaction<Database>, values: Record<string, number>): Promise<void> {
  for (const [name, value] of Object.entries(values))
    await sql`select setval(quote_ident(${name})::regclass, ${value})`.execute(trx)
}

/** The name of a table, view or sequence in the schemas of Switchboard; undefined in an empty database. */
export async function anyRelation(db: Kysely<Database>): Promise<string | undefined> {
  const { name: jobs } = await jobSchema(db)
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in (current_schema(), ${jobs}) and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
      )
    order by relkind <> 'r', relname limit 1`.execute(db)
  return rows[0]?.name
}

/**
 * If the role of the connection is a superuser, runs `work` as a role that may insert rows into `tables` and do nothing
 * else. This role exists only within the transaction.
 */
export async function withoutSuperuser(
  trx: Transaction<Database>,
  tables: readonly Table[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ name: string; schema: string }>`
    select 'switchboard_restore_' || pg_backend_pid() as name, current_schema() as schema
    from pg_roles where rolname = current_user and rolsuper`.execute(trx)
  const [inserter] = rows
  if (inserter === undefined) return await work()
  const role = sql.id(inserter.name)
  await sql`create role ${role}`.execute(trx)
  await sql`grant usage on schema ${sql.id(inserter.schema)} to ${role}`.execute(trx)
  await sql`grant insert on ${namesOf(tables)} to ${role}`.execute(trx)
  await sql`set local role ${role}`.execute(trx)
  await work()
  await sql`reset role`.execute(trx)
  await sql`drop owned by ${role}`.execute(trx)
  await sql`drop role ${role}`.execute(trx)
}

/** Removes all rows that migrations have inserted. */
export async function emptyTables(trx: Transaction<Database>, tables: readonly Table[]): Promise<void> {
  await sql`truncate table ${namesOf(tables)}`.execute(trx)
}

/** Disables triggers of the schema while `work` runs: rows are copied as they were. The owner of the tables may do so. */
export async function withoutTriggers(
  trx: Transaction<Database>,
  tables: readonly Table[],
  work: () => Promise<void>,
): Promise<void> {
  for (const { name } of tables) await sql`alter table ${sql.id(name)} disable trigger user`.execute(trx)
  await work()
  for (const { name } of tables) await sql`alter table ${sql.id(name)} enable trigger user`.execute(trx)
}

/**
 * Drops the foreign keys while `work` runs, so that tables can be filled in any order. Each is checked over all rows when
 * it is added again. Only a superuser could disable the triggers of foreign keys.
 */
export async function withoutForeignKeys(trx: Transaction<Database>, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and conparentid = 0 and connamespace = quote_ident(current_schema())::regnamespace
    order by relname, conname`.execute(trx)
  // Rows that a migration has inserted may have checks until the end of the transaction.
  await sql`set constraints all immediate`.execute(trx)
  for (const { table, name } of rows)
    await sql`alter table ${sql.id(table)} drop constraint ${sql.id(name)}`.execute(trx)
  await work()
  for (const { table, name, definition } of rows)
    await sql`alter table ${sql.id(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(trx)
  await sql`set constraints all deferred`.execute(trx)
}

/** Drops the indexes that belong to no constraint while `work` runs: an index is built faster over all rows than row by row. */
export async function withoutIndexes(trx: Transaction<Database>, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select relname as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = quote_ident(current_schema())::regnamespace
      and not relispartition and not exists (select from pg_constraint where conindid = indexrelid)
    order by relname`.execute(trx)
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(trx)
  await work()
  for (const { definition } of rows) await sql.raw(definition).execute(trx)
}

/** Collects the statistics of new tables: until then queries have bad plans. */
export async function analyzeTables(db: Kysely<Database>): Promise<void> {
  await sql`analyze`.execute(db)
}

function namesOf(tables: readonly Table[]) {
  return sql.join(tables.map(({ name }) => sql.id(name)))
}
