import type { AuditRow } from '@switchboard/contract/activity'
import { deleteApiKey, restoreApiKey } from '@switchboard/contract/api-keys'
import { deleteTask, restoreTask } from '@switchboard/contract/tasks'
import { removeMember } from '@switchboard/contract/team'
import { deleteTenant, restoreTenant } from '@switchboard/contract/tenants'
import { deleteUser, restoreUser } from '@switchboard/contract/users'
import { DAY_MS } from '@switchboard/contract/wire/days'
import { DELETION_KEPT_DAYS } from '@switchboard/contract/wire/deletions'
import { call } from '#src/lib/call.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { activityListOf, activityPageQuery } from './activity.api.ts'

const restoreUserById = (id: string) => call(restoreUser, { params: { id } })

/** For each action that deletes a record: the call that restores it. */
const RESTORES: Record<string, ((id: string) => Promise<unknown>) | undefined> = {
  [deleteTenant.schema.operationId]: (id) => call(restoreTenant, { params: { id } }),
  [deleteUser.schema.operationId]: restoreUserById,
  [removeMember.schema.operationId]: restoreUserById,
  [deleteApiKey.schema.operationId]: (id) => call(restoreApiKey, { params: { key_id: id } }),
  [deleteTask.schema.operationId]: (id) => call(restoreTask, { params: { task_id: id } }),
}

/** A row about a deletion within the last 30 days. */
export type Deletion = AuditRow & { target_id: string }

export function isRecentDeletion(row: AuditRow): row is Deletion {
  const isKept = serverNow() - Date.parse(row.at) < DELETION_KEPT_DAYS * DAY_MS
  return row.outcome === 'done' && row.target_id !== null && row.action in RESTORES && isKept
}

/** Whether the record is still deleted. Only a restoration or a permanent deletion can follow. */
export function stillDeletedQuery({ seq, target_id }: Deletion) {
  return {
    ...activityPageQuery({ ...activityListOf({ target_id, outcome: 'done' }), limit: 1 }),
    select: ({ rows: [newest] }: { rows: AuditRow[] }) => newest?.seq === seq,
  }
}

/** Restores the record of a deletion, and returns the sentence that says so. */
export async function restoreRecord({
  action,
  id,
  name,
}: {
  action: string
  id: string
  name: string
}): Promise<string> {
  try {
    await RESTORES[action]?.(id)
    return `${name} was restored.`
  } finally {
    void queryClient.invalidateQueries()
  }
}
