import * as contract from '@switchboard/contract/tenants/tenant-notes'
import type { TenantNote, TenantNoteBody } from '@switchboard/contract/tenants/tenant-notes'
import { type AuditTarget, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import type { Database } from '@switchboard/database/tables'
import { AppError, conflict, notFound } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { tenantOf } from '#src/tenants/tenants.service.ts'
import * as queries from './tenant-notes.queries.ts'

/** A note of a tenant. */
type Target = { tenant_id: string; id: string }

/** The notes of a tenant, newest first. Throws 404. */
export async function tenantNotes({ db }: Pick<Deps, 'db'>, tenantId: string): Promise<TenantNote[]> {
  await tenantOf({ db }, tenantId)
  return await queries.notesOfTenant(db, tenantId)
}

/** Adds a note. Throws 404, and 409 for a tenant with the most notes. */
export async function createTenantNote(
  { db, now }: Deps,
  actor: Actor,
  tenantId: string,
  { text }: TenantNoteBody,
): Promise<TenantNote> {
  return await inTransaction(db, async (trx) => {
    const target = await lockTenantOf(trx, tenantId)
    if ((await queries.countNotes(trx, tenantId)) >= contract.TENANT_NOTES_MAX)
      throw conflict(`A tenant can have ${contract.TENANT_NOTES_MAX} notes.`)
    const author = { author_id: actor.id, author_email: actor.email }
    const note = await queries.insertNote(trx, { ...author, tenant_id: tenantId, text, created_at: now() })
    const action = contract.createTenantNote.schema.operationId
    await writeAudit(trx, now(), actor, { action, target, changes: { note: { before: null, after: text } } })
    return note
  })
}

/** Changes one of the actor's notes. Throws 404, and 403 for the note of another admin. */
export async function updateTenantNote(
  { db, now }: Deps,
  actor: Actor,
  { tenant_id, id }: Target,
  { text }: TenantNoteBody,
): Promise<TenantNote> {
  return await inTransaction(db, async (trx) => {
    const target = await lockTenantOf(trx, tenant_id)
    const before = await lockOwnNote(trx, actor, { tenant_id, id })
    if (before.text === text) return before
    const after = await queries.updateNote(trx, id, { text, edited_at: now() })
    const action = contract.updateTenantNote.schema.operationId
    await writeAudit(trx, now(), actor, { action, target, changes: { note: { before: before.text, after: text } } })
    return after
  })
}

/** Removes one of the actor's notes. Throws 404, and 403 for the note of another admin. */
export async function deleteTenantNote({ db, now }: Deps, actor: Actor, { tenant_id, id }: Target): Promise<void> {
  await inTransaction(db, async (trx) => {
    const target = await lockTenantOf(trx, tenant_id)
    const { text } = await lockOwnNote(trx, actor, { tenant_id, id })
    await queries.deleteNote(trx, id)
    const action = contract.deleteTenantNote.schema.operationId
    await writeAudit(trx, now(), actor, { action, target, changes: { note: { before: text, after: null } } })
  })
}

async function lockTenantOf(trx: Transaction<Database>, id: string): Promise<AuditTarget> {
  const tenant = await lockOwningTenant(trx, id)
  if (tenant === undefined) throw notFound('Tenant')
  return { type: 'tenant', id, name: tenant.name, tenant_id: id }
}

async function lockOwnNote(trx: Transaction<Database>, actor: Actor, target: Target): Promise<TenantNote> {
  const note = await queries.lockNote(trx, target)
  if (note === undefined) throw notFound('Note')
  if (note.author_id !== actor.id) throw new AppError(403, 'Only the author can change or remove a note.')
  return note
}
