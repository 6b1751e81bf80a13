import { bulkTenants, exportTenants, selectTenants, type TenantBulkAction } from '@switchboard/contract/tenants'
import { call, callFile } from '#src/lib/call.ts'
import { wholeList } from '#src/lib/list-address.ts'
import type { TenantList } from './tenants.api.ts'

/** The whole list as a CSV file. */
export async function tenantsFile(list: TenantList, signal: AbortSignal): Promise<Response> {
  return await callFile(exportTenants, { query: wholeList(list), signal })
}

/** The ids of all that the list matches. */
export async function allTenants(list: TenantList): Promise<string[]> {
  return await call(selectTenants, { query: wholeList(list) })
}

/** Acts on these; on those alone that `list` still matches, where there is one. */
export async function changeTenants(list: TenantList | null, action: TenantBulkAction, ids: string[]) {
  return await call(bulkTenants, { query: list === null ? {} : wholeList(list), body: { action, ids } })
}
