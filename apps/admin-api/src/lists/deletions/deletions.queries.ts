import { DELETION_KEPT_MINUTES } from '@switchboard/contract/wire/deletions'
import type { Database } from '@switchboard/database/tables'
import { sql, type Transaction } from 'kysely'

export type DeletedTable = Database['deletions']['table_name']

/** Moves a locked record with all rows that are deleted with the record out of their tables, for ten minutes. */
export async function moveToDeletions(
  trx: Transaction<Database>,
  table: DeletedTable,
  { id, tenant_id }: { id: string; tenant_id: string | null },
): Promise<void> {
  await sql`select move_to_deletions(${table}::regclass, ${id}, ${tenant_id})`.execute(trx)
}

/** The deletion of a record, while an undo is possible. */
export async function deletionOf(trx: Transaction<Database>, table: DeletedTable, id: string) {
  return await trx
    .selectFrom('deletions')
    .select(['id', 'tenant_id'])
    .where('id', '=', id)
    .where('table_name', '=', table)
    .where(sql<boolean>`deleted_at > now() - make_interval(mins => ${DELETION_KEPT_MINUTES})`)
    .executeTakeFirst()
}

/** Moves a deleted record with all its rows back. */
export async function moveBack(trx: Transaction<Database>, id: string): Promise<void> {
  await sql`select restore_deletion(${id})`.execute(trx)
}

/** Stores the row of a key before its deletion. The row of a deleted key stays in its table. */
export async function storeDeletedKey(trx: Transaction<Database>, id: string): Promise<void> {
  await sql`
    insert into deletions (id, table_name, tenant_id, records)
    select id, 'api_keys', tenant_id,
      jsonb_build_array(jsonb_build_object('table', 'api_keys', 'rows', jsonb_build_array(to_jsonb(api_keys) - 'search_text')))
    from api_keys where id = ${id}`.execute(trx)
}

/** Takes back what the deletion of a key changed. */
export async function restoreDeletedKey(trx: Transaction<Database>, id: string): Promise<void> {
  await sql`
    update api_keys set
      is_active = before.is_active, revoked_at = before.revoked_at, deleted_at = before.deleted_at, version = before.version
    from deletions cross join lateral jsonb_populate_record(null::api_keys, records -> 0 -> 'rows' -> 0) as before
    where api_keys.id = ${id} and deletions.id = ${id}`.execute(trx)
  await trx.deleteFrom('deletions').where('id', '=', id).execute()
}
