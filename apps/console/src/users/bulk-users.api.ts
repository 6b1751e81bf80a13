import { bulkUsers, exportUsers, selectUsers, type UserBulkAction } from '@switchboard/contract/users'
import { call, callFile } from '#src/lib/call.ts'
import { wholeList } from '#src/lib/list-address.ts'
import type { UserList } from './users.api.ts'

/** The whole list as a CSV file. */
export async function usersFile(list: UserList, signal: AbortSignal): Promise<Response> {
  return await callFile(exportUsers, { query: wholeList(list), signal })
}

/** The ids of all that the list matches. */
export async function allUsers(list: UserList): Promise<string[]> {
  return await call(selectUsers, { query: wholeList(list) })
}

/** Acts on these; on those alone that `list` still matches, where there is one. */
export async function changeUsers(list: UserList | null, action: UserBulkAction, ids: string[]) {
  return await call(bulkUsers, { query: list === null ? {} : wholeList(list), body: { action, ids } })
}
