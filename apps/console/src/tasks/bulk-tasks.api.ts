import { bulkTasks, exportTasks, selectTasks, type TaskBulkAction } from '@switchboard/contract/tasks'
import { call, callFile } from '#src/lib/call.ts'
import { wholeList } from '#src/lib/list-address.ts'
import type { TaskList } from './tasks.api.ts'

/** The whole list as a CSV file. */
export async function tasksFile(list: TaskList, signal: AbortSignal): Promise<Response> {
  return await callFile(exportTasks, { query: wholeList(list), signal })
}

/** The ids of all that the list matches. */
export async function allTasks(list: TaskList): Promise<string[]> {
  return await call(selectTasks, { query: wholeList(list) })
}

/** Acts on these; on those alone that `list` still matches, where there is one. */
export async function changeTasks(list: TaskList | null, action: TaskBulkAction, ids: string[]) {
  return await call(bulkTasks, { query: list === null ? {} : wholeList(list), body: { action, ids } })
}
