import {
  type ApiKeyBulkAction,
  bulkApiKeys,
  exportApiKeys,
  type KeyAttention,
  selectApiKeys,
} from '@switchboard/contract/api-keys'
import { call, callFile } from '#src/lib/call.ts'

/** What /keys narrows: tenants by the search, and their keys. */
export type KeyList = { q?: string | undefined; attention?: KeyAttention | undefined }

/** The whole list as a CSV file. */
export async function apiKeysFile(list: KeyList, signal: AbortSignal): Promise<Response> {
  return await callFile(exportApiKeys, { query: keysIn(list), signal })
}

/** The ids of all that the list matches. */
export async function allApiKeys(list: KeyList, signal?: AbortSignal): Promise<string[]> {
  return await call(selectApiKeys, { query: keysIn(list), ...(signal && { signal }) })
}

/** Acts on these; on those alone that `list` still matches, where there is one. */
export async function changeApiKeys(list: KeyList | null, action: ApiKeyBulkAction, ids: string[]) {
  return await call(bulkApiKeys, { query: list === null ? {} : keysIn(list), body: { action, ids } })
}

/** Without what says only which page of tenants is shown. */
function keysIn({ q, attention }: KeyList) {
  return { q, attention }
}
