import { type TenantNote, tenantNote } from '@switchboard/contract/tenants/tenant-notes'
import type { Database } from '@switchboard/database/tables'
import type { Insertable, Kysely, Transaction } from 'kysely'
import * as z from 'zod/mini'

const COLUMNS = z.keyof(tenantNote).options

/** The notes of a tenant, newest first. */
export async function notesOfTenant(db: Kysely<Database>, tenantId: string): Promise<TenantNote[]> {
  return await db
    .selectFrom('tenant_notes')
    .select(COLUMNS)
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function countNotes(trx: Transaction<Database>, tenantId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('tenant_notes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return count
}

export async function lockNote(
  trx: Transaction<Database>,
  { tenant_id, id }: { tenant_id: string; id: string },
): Promise<TenantNote | undefined> {
  return await trx
    .selectFrom('tenant_notes')
    .select(COLUMNS)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertNote(
  trx: Transaction<Database>,
  note: Insertable<Database['tenant_notes']>,
): Promise<TenantNote> {
  return await trx.insertInto('tenant_notes').values(note).returning(COLUMNS).executeTakeFirstOrThrow()
}

export async function updateNote(
  trx: Transaction<Database>,
  id: string,
  change: { text: string; edited_at: Date },
): Promise<TenantNote> {
  return await trx
    .updateTable('tenant_notes')
    .set(change)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function deleteNote(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('tenant_notes').where('id', '=', id).execute()
}
