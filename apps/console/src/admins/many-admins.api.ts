import { bulkAdmins, exportAdmins, selectAdmins, type AdminBulkAction } from '@switchboard/contract/tenant-admins'
import { call, callFile } from '#src/lib/call.ts'
import { wholeList } from '#src/lib/list-address.ts'
import type { AdminList } from './admins.api.ts'

/** The whole list as a CSV file. */
export async function adminsFile(list: AdminList, signal: AbortSignal): Promise<Response> {
  return await callFile(exportAdmins, { query: wholeList(list), signal })
}

/** The ids of all that the list matches. */
export async function allAdmins(list: AdminList): Promise<string[]> {
  return await call(selectAdmins, { query: wholeList(list) })
}

/** Acts on these; on those alone that `list` still matches, where there is one. */
export async function changeAdmins(list: AdminList | null, action: AdminBulkAction, ids: string[]) {
  return await call(bulkAdmins, { query: list === null ? {} : wholeList(list), body: { action, ids } })
}
