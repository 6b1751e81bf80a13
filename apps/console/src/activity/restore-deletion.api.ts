import type { AuditRow } from '@switchboard/contract/activity'
import { deleteApiKey, restoreApiKey } from '@switchboard/contract/api-keys'
import { deleteTask, restoreTask } from '@switchboard/contract/tasks'
import { removeMember } from '@switchboard/contract/team'
import { deleteUser, restoreUser } from '@switchboard/contract/users'
import { DAY_MS } from '@switchboard/contract/wire/days'
import { DELETION_KEPT_DAYS } from '@switchboard/contract/wire/deletions'
import { call } from '#src/lib/call.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { activityListOf, activityPageQuery } from './activity.api.ts'

const RESTORE_USER = {
  action: restoreUser.schema.operationId,
  restore: (id: string) => call(restoreUser, { params: { id } }),
}

/** For each action that deletes a record: the action and the call that restore it. */
const RESTORES: Record<string, { action: string; restore: (id: string) => Promise<unknown> } | undefined> = {
  [deleteUser.schema.operationId]: RESTORE_USER,
  [removeMember.schema.operationId]: RESTORE_USER,
  [deleteApiKey.schema.operationId]: {
    action: restoreApiKey.schema.operationId,
    restore: (id) => call(restoreApiKey, { params: { key_id: id } }),
  },
  [deleteTask.schema.operationId]: {
    action: restoreTask.schema.operationId,
    restore: (id) => call(restoreTask, { params: { task_id: id } }),
  },
}

/** A row about a deletion within the last 30 days. The record may have been restored already. */
export type Deletion = AuditRow & { target_id: string }

export function isRecentDeletion(row: AuditRow): row is Deletion {
  const isKept = serverNow() - Date.parse(row.at) < DELETION_KEPT_DAYS * DAY_MS
  return row.outcome === 'done' && row.target_id !== null && row.action in RESTORES && isKept
}

export function restoredQuery({ seq, action, target_id }: Deletion) {
  const restore = RESTORES[action]?.action
  return {
    ...activityPageQuery({ ...activityListOf({ target_id, action: restore, outcome: 'done' }), limit: 1 }),
    select: ({ rows: [newest] }: { rows: AuditRow[] }) => newest !== undefined && newest.seq > seq,
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
    await RESTORES[action]?.restore(id)
    return `${name} was restored.`
  } finally {
    void queryClient.invalidateQueries()
  }
}
