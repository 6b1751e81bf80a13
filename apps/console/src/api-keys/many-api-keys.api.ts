import { bulkApiKeys, exportApiKeys, selectApiKeys, type ApiKeyBulkAction } from '@switchboard/contract/api-keys'
import { call, callFile } from '#src/lib/call.ts'

/** What /keys narrows: tenants, by the search. */
export type KeyList = { q?: string | undefined }

/** The whole list as a CSV file. */
export async function apiKeysFile(list: KeyList, signal: AbortSignal): Promise<Response> {
  return await callFile(exportApiKeys, { query: { q: list.q }, signal })
}

/** The ids of all that the list matches. */
export async function allApiKeys(list: KeyList): Promise<string[]> {
  return await call(selectApiKeys, { query: { q: list.q } })
}

/** Acts on these; on those alone that `list` still matches, where there is one. */
export async function changeApiKeys(list: KeyList | null, action: ApiKeyBulkAction, ids: string[]) {
  return await call(bulkApiKeys, { query: list === null ? {} : { q: list.q }, body: { action, ids } })
}
