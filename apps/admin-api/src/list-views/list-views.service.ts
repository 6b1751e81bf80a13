import { isAllowed, ROLE_REFUSED } from '@switchboard/contract/auth/capabilities'
import * as contract from '@switchboard/contract/list-views'
import type { CreateListViewBody, ListView, UpdateListViewBody, ViewedList } from '@switchboard/contract/list-views'
import { addedFields, changedFields, removedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import { AppError, conflict, notFound } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import * as queries from './list-views.queries.ts'

/** The actor's views of a list and the shared ones, oldest first. */
export async function listViews({ db }: Pick<Deps, 'db'>, actor: Actor, list: ViewedList): Promise<ListView[]> {
  return await queries.viewsOfList(db, actor.id, list)
}

/** Saves a view. Throws 403 for a shared one without the capability, and 409 for a person with the most views. */
export async function createListView(
  { db, now }: Deps,
  actor: Actor,
  { is_default, ...view }: CreateListViewBody,
): Promise<ListView> {
  if (view.is_shared) refuseSharing(actor)
  return await inTransaction(db, async (trx) => {
    if ((await queries.countViews(trx, actor.id)) >= contract.LIST_VIEWS_MAX)
      throw conflict(`You can save ${contract.LIST_VIEWS_MAX} views.`)
    const { id } = await queries.insertView(trx, { ...view, owner_id: actor.id, created_at: now() })
    if (is_default) await queries.setDefaultView(trx, { user_id: actor.id, list: view.list, view_id: id })
    const saved = await queries.viewOf(trx, actor.id, id)
    const action = contract.createListView.schema.operationId
    await writeAudit(trx, now(), actor, { action, changes: addedFields(audited(saved)) })
    return saved
  })
}

/** Changes a view. Throws 404, and 403 for a shared view without the capability. */
export async function updateListView(
  { db, now }: Deps,
  actor: Actor,
  id: string,
  { is_default, ...change }: UpdateListViewBody,
): Promise<ListView> {
  return await inTransaction(db, async (trx) => {
    const before = await lockView(trx, actor, id)
    if (Object.keys(change).length > 0) {
      if (before.is_shared || change.is_shared) refuseSharing(actor)
      await queries.updateView(trx, id, change)
    }
    if (is_default === true) await queries.setDefaultView(trx, { user_id: actor.id, list: before.list, view_id: id })
    if (is_default === false) await queries.removeDefaultView(trx, actor.id, id)
    const after = await queries.viewOf(trx, actor.id, id)
    const changes = changedFields(audited(before), audited(after))
    const action = contract.updateListView.schema.operationId
    if (Object.keys(changes).length > 0) await writeAudit(trx, now(), actor, { action, changes })
    return after
  })
}

/** Deletes a view. Throws 404, and 403 for a shared view without the capability. */
export async function deleteListView({ db, now }: Deps, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockView(trx, actor, id)
    if (before.is_shared) refuseSharing(actor)
    await queries.deleteView(trx, id)
    const action = contract.deleteListView.schema.operationId
    await writeAudit(trx, now(), actor, { action, changes: removedFields(audited(before)) })
  })
}

function refuseSharing(actor: Actor): void {
  if (!isAllowed(actor.admin.role, 'edit')) throw new AppError(403, ROLE_REFUSED)
}

async function lockView(trx: Transaction<Database>, actor: Actor, id: string): Promise<ListView> {
  const view = await queries.lockView(trx, actor.id, id)
  if (view === undefined) throw notFound('View')
  return view
}

function audited({ list, name, search, is_shared, is_default }: ListView) {
  return { list, name, search, is_shared, is_default }
}
