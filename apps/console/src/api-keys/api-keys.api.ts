import * as calls from '@switchboard/contract/api-keys'
import type { ApiKey, CreateApiKeyBody, RotateApiKeyBody, UpdateApiKeyBody } from '@switchboard/contract/api-keys'
import { getApiKeyDiagnosis } from '@switchboard/contract/api-keys/key-diagnosis'
import { type ApiKeyRow, apiKeyList } from '@switchboard/contract/api-keys/key-list'
import { summarizeTenantKeys } from '@switchboard/contract/api-keys/tenant-key-summaries'
import { queryOptions, skipToken, useMutation } from '@tanstack/react-query'
import { callOnce } from '#src/lib/call-once.ts'
import { call } from '#src/lib/call.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { changeRows, prefetch, queryClient, refreshAfterChange } from '#src/lib/query-client.ts'
import { exportApi, listApi } from '#src/lists/list-api.ts'
import type { SearchOf } from '#src/lists/list-search.ts'
import { tenantPages, refreshTenants } from '#src/tenants/tenants.api.ts'

const ALL_KEYS = ['api-keys']
const KEY_PAGES = [...ALL_KEYS, 'pages']
const diagnosisOf = (keyId: string) => [...ALL_KEYS, 'diagnosis', keyId]
/** Not cached after the dialog closes: the answer holds a secret. */
const SECRET = { gcTime: 0 }
/** Keys shown below a tenant; the list of all keys has the others. */
const KEYS_OF_TENANT_SHOWN = 25

export const keyPages = { ...listApi(apiKeyList, KEY_PAGES), ...exportApi(apiKeyList) }
export type KeyList = ReturnType<typeof keyListOf>

/** The filters, the view of /keys (`all` for one list), the open key, the open tenants, and the tenant for which to generate a key. */
export type KeySearch = SearchOf<typeof apiKeyList> & {
  [Name in 'view' | 'key' | 'open' | 'generate']?: string | undefined
}

type Search = Parameters<typeof keyPages.listOf>[0] & { view?: string | undefined; key?: string | undefined }

/** The search parameters of the list of keys. A list of refused keys begins with the most refused key. */
export function keyListOf({ fold: _fold, ...search }: Search) {
  return keyPages.listOf({ sort: search.attention === 'keys_refused' ? '-refused' : undefined, ...search })
}

/** One page of keys. Replaced keys are folded under their successors, unless a filter may match only one of both. */
export function keyPageQuery(list: KeyList) {
  return keyPages.query({ ...list, fold: isFolded(list) ? 'true' : undefined })
}

/** Whether replaced keys are folded under their successors instead of having separate rows. */
export function isFolded({ q, state, expiry, attention, deleted }: Partial<KeyList>) {
  return [q, state, expiry, attention, deleted].every((filter) => filter === undefined)
}

/** The first keys of a tenant, newest first. */
export function tenantKeysQuery(tenant_id: string) {
  return keyPages.query({ ...keyPages.listOf({ tenant_id }), fold: 'true', limit: KEYS_OF_TENANT_SHOWN })
}

/** The calls of the keys of the tenants on a page. */
export function tenantKeySummariesQuery(tenant_ids: string[]) {
  return queryOptions({
    queryKey: [...ALL_KEYS, 'summaries', tenant_ids],
    queryFn:
      tenant_ids.length === 0 ? skipToken : ({ signal }) => call(summarizeTenantKeys, { body: { tenant_ids }, signal }),
  })
}

/**
 * Whether the address asks for the tenants with their keys. A filter or an order of keys, as in links from other screens,
 * asks for the list of all keys.
 */
export function isByTenant({ view, tenant_id, state, expiry, origins, environment, attention, deleted, sort }: Search) {
  const filters = [tenant_id, state, expiry, origins, environment, attention, deleted, sort]
  return view !== 'all' && filters.every((filter) => filter === undefined)
}

/** The search parameters of the tenants in the view by tenant. */
export function tenantListOf({ q, limit, cursor }: Search) {
  return tenantPages.listOf({ q, limit, cursor, sort: 'name' })
}

/** The state of a key, its calls, and the origins that it refused. */
export function keyDiagnosisQuery(keyId: string) {
  return queryOptions({
    queryKey: diagnosisOf(keyId),
    queryFn: ({ signal }) => call(getApiKeyDiagnosis, { params: { key_id: keyId }, signal }),
    staleTime: 0,
  })
}

/** Prefetches the data of /keys. */
export function prefetchKeys(search: Search): void {
  if (isByTenant(search)) prefetch(tenantPages.query(tenantListOf(search)))
  else prefetch(keyPageQuery(keyListOf(search)))
  if (search.key !== undefined) prefetch(keyDiagnosisQuery(search.key))
}

export function useCreateApiKey() {
  return useMutation({
    ...SECRET,
    mutationFn: (body: CreateApiKeyBody) => callOnce(calls.createApiKey, { body }),
    onSuccess: refreshKeys,
  })
}

/** Changes the version that `apiKey` has. Another version is a 412 with the current key. */
export function useUpdateApiKey() {
  return useMutation({
    mutationFn: ({ apiKey: { id, version }, body }: { apiKey: ApiKey; body: UpdateApiKeyBody }) =>
      call(calls.updateApiKey, { params: { key_id: id }, body, ifMatch: version }),
    onSuccess: replaceKey,
    onSettled: refreshKeys,
  })
}

/** Adds an origin to the version of a key that is shown, with Undo. */
export function useAllowOrigin() {
  const { mutateAsync: update, isPending } = useUpdateApiKey()

  async function allow(apiKey: ApiKey, origin: string): Promise<void> {
    const { id, name, allowed_origins: before } = apiKey
    try {
      const saved = await update({ apiKey, body: { allowed_origins: [...before, origin] } })
      notify('ok', `${name} accepts calls from ${origin} within a second.`, {
        about: id,
        onUndo: async () => {
          await update({ apiKey: saved, body: { allowed_origins: before } })
          return `${name} refuses calls from ${origin} again.`
        },
      })
    } catch (error) {
      notifyFailure(error, `${origin} could not be allowed.`, { about: id, onRetry: () => void allow(apiKey, origin) })
    }
  }
  return { allow, isPending }
}

/** Rotates the version that `apiKey` has. Another version is a 412 with the current key. */
export function useRotateApiKey() {
  return useMutation({
    ...SECRET,
    mutationFn: ({ apiKey: { id, version }, ...body }: { apiKey: ApiKey } & RotateApiKeyBody) =>
      callOnce(calls.rotateApiKey, { params: { key_id: id }, body, ifMatch: version }),
    onSettled: refreshKeys,
  })
}

/** Optimistic update, rolled back after a failure. */
export function useToggleApiKey() {
  return useMutation({
    mutationFn: ({ apiKey, is_active }: { apiKey: ApiKey; is_active: boolean }) =>
      call(calls.toggleApiKey, { params: { key_id: apiKey.id }, body: { is_active } }),
    onMutate: async ({ apiKey, is_active }) => {
      await queryClient.cancelQueries({ queryKey: ALL_KEYS })
      replaceKey({ ...apiKey, is_active })
    },
    onSuccess: replaceKey,
    onError: (_, { apiKey }) => replaceKey(apiKey),
    onSettled: refreshKeys,
  })
}

/** Restores a deleted key, for Undo. */
export async function restoreDeletedKey({ id, name }: Pick<ApiKey, 'id' | 'name'>): Promise<string> {
  try {
    await call(calls.restoreApiKey, { params: { key_id: id } })
    return `${name} was restored.`
  } finally {
    refreshKeys()
  }
}

export function useDeleteApiKey() {
  return useMutation({
    mutationFn: (apiKey: ApiKey) => call(calls.deleteApiKey, { params: { key_id: apiKey.id } }),
    onSuccess: (_, { id }) =>
      changeRows<ApiKeyRow>(KEY_PAGES, (rows) =>
        rows
          .filter((row) => row.id !== id)
          .map((row) => ({ ...row, old_keys: row.old_keys.filter((old) => old.id !== id) })),
      ),
    onSettled: () => {
      // Do not refetch the diagnosis, because the drawer of the deleted key is still open.
      refreshTenants()
      void queryClient.invalidateQueries({ queryKey: KEY_PAGES })
    },
  })
}

export function useEndGrace() {
  return useMutation({
    mutationFn: (apiKey: ApiKey) => call(calls.endGrace, { params: { key_id: apiKey.id } }),
    onSettled: refreshKeys,
  })
}

export function useExtendGrace() {
  return useMutation({
    mutationFn: ({ apiKey, grace_seconds }: { apiKey: ApiKey; grace_seconds: number }) =>
      call(calls.extendGrace, { params: { key_id: apiKey.id }, body: { grace_seconds } }),
    onSettled: refreshKeys,
  })
}

/** Shows a change at once, in every cached page and in the drawer. */
function replaceKey(changed: ApiKey): void {
  const replace = <Row extends ApiKey>(key: Row): Row => (key.id === changed.id ? { ...key, ...changed } : key)
  changeRows<ApiKeyRow>(KEY_PAGES, (rows) =>
    rows.map((row) => ({ ...replace(row), old_keys: row.old_keys.map(replace) })),
  )
  queryClient.setQueryData(keyDiagnosisQuery(changed.id).queryKey, (before) =>
    before === undefined ? undefined : { ...before, key: replace(before.key) },
  )
}

/** Refetches keys and their counts where they are shown. */
export function refreshKeys(): void {
  refreshAfterChange(ALL_KEYS)
  refreshTenants()
}
