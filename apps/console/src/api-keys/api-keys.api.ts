import * as calls from '@switchboard/contract/api-keys'
import type { ApiKey, CreateApiKeyBody, GraceSeconds, RotateApiKeyBody } from '@switchboard/contract/api-keys'
import { apiKeyList, type ApiKeyListQuery, keyAttention } from '@switchboard/contract/api-keys/key-list'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { prefetch, queryClient } from '#src/lib/query-client.ts'
import { refreshTenants, tenantPages } from '#src/tenants/tenants.api.ts'

const ALL_KEYS = ['api-keys']
const keysOf = (tenantId: string) => [...ALL_KEYS, tenantId]
const MATCHING_KEYS = ['matching-api-keys']
/** Not cached after the dialog closes: the answer holds a secret. */
const SECRET = { gcTime: 0 }

type Search = { [Name in 'q' | 'attention' | 'limit' | 'cursor' | 'open' | 'closed']?: string | undefined }

/** The search parameters of /keys: the list of tenants by name, and the expanded or (when filtered) collapsed tenants. */
export function tenantsWithKeysOf({ open, closed, ...search }: Search) {
  const attention = keyAttention.safeParse(search.attention).data
  return {
    list: { ...tenantPages.listOf({ ...search, sort: 'name' }), attention },
    open: new Set(open?.split(',')),
    closed: new Set(closed?.split(',')),
  }
}

/** The tenants of /keys, sorted by name; for refused keys, by the refusals of each tenant's most refused key. */
export function tenantsWithKeysQuery(list: ReturnType<typeof tenantsWithKeysOf>['list']) {
  return tenantPages.query({ ...list, sort: list.attention === 'keys_refused' ? undefined : list.sort })
}

/** Prefetches the data of /keys. */
export function prefetchTenantsWithKeys(search: Search): void {
  const { list } = tenantsWithKeysOf(search)
  prefetch(tenantsWithKeysQuery(list))
  if (list.attention !== undefined) prefetch(matchingKeysQuery(list))
}

/** The ids of the filtered keys on all pages. */
export function matchingKeysQuery({ q, attention }: Pick<ApiKeyListQuery, 'q' | 'attention'>) {
  return queryOptions({
    queryKey: [...MATCHING_KEYS, { q, attention }],
    queryFn: ({ signal }) => call(apiKeyList.ids, { query: { q, attention }, signal }),
  })
}

export function apiKeysQuery(tenantId: string) {
  return queryOptions({
    queryKey: keysOf(tenantId),
    queryFn: ({ signal }) => call(calls.listApiKeys, { params: { tenant_id: tenantId }, signal }),
  })
}

export function apiKeyUsageQuery(keyId: string) {
  return queryOptions({
    queryKey: ['api-key-usage', keyId],
    queryFn: ({ signal }) => call(calls.getApiKeyUsage, { params: { key_id: keyId }, signal }),
    staleTime: 0,
  })
}

export function useCreateApiKey() {
  return useMutation({
    ...SECRET,
    mutationFn: (body: CreateApiKeyBody) => call(calls.createApiKey, { body }),
    onSuccess: ({ tenant_id }) => refreshKeys(tenant_id),
  })
}

/** Rotates the version that `apiKey` has. Another version is a 412 with the current key. */
export function useRotateApiKey() {
  return useMutation({
    ...SECRET,
    mutationFn: ({ apiKey: { id, version }, ...body }: { apiKey: ApiKey } & Omit<RotateApiKeyBody, 'version'>) =>
      call(calls.rotateApiKey, { params: { key_id: id }, body: { ...body, version } }),
    onSettled: (_, __, { apiKey }) => refreshKeys(apiKey.tenant_id),
  })
}

/** Optimistic update, rolled back after a failure. */
export function useToggleApiKey() {
  return useMutation({
    mutationFn: ({ apiKey, is_active }: { apiKey: ApiKey; is_active: boolean }) =>
      call(calls.toggleApiKey, { params: { key_id: apiKey.id }, body: { is_active } }),
    onMutate: async ({ apiKey, is_active }) => {
      await queryClient.cancelQueries({ queryKey: keysOf(apiKey.tenant_id) })
      replaceKey({ ...apiKey, is_active })
    },
    onSuccess: replaceKey,
    onError: (_, { apiKey }) => replaceKey(apiKey),
    onSettled: (_, __, { apiKey }) => refreshKeys(apiKey.tenant_id),
  })
}

export function useDeleteApiKey() {
  return useMutation({
    mutationFn: (apiKey: ApiKey) => call(calls.deleteApiKey, { params: { key_id: apiKey.id } }),
    onSuccess: (_, { id, tenant_id }) => {
      queryClient.setQueryData<ApiKey[]>(keysOf(tenant_id), (keys) => keys?.filter((key) => key.id !== id))
    },
    onSettled: (_, __, { tenant_id }) => refreshKeys(tenant_id),
  })
}

export function useEndGrace() {
  return useMutation({
    mutationFn: (apiKey: ApiKey) => call(calls.endGrace, { params: { key_id: apiKey.id } }),
    onSettled: (_, __, { tenant_id }) => refreshKeys(tenant_id),
  })
}

export function useExtendGrace() {
  return useMutation({
    mutationFn: ({ apiKey, grace_seconds }: { apiKey: ApiKey; grace_seconds: GraceSeconds }) =>
      call(calls.extendGrace, { params: { key_id: apiKey.id }, body: { grace_seconds } }),
    onSettled: (_, __, { apiKey }) => refreshKeys(apiKey.tenant_id),
  })
}

function replaceKey(changed: ApiKey): void {
  queryClient.setQueryData<ApiKey[]>(keysOf(changed.tenant_id), (keys) =>
    keys?.map((key) => (key.id === changed.id ? changed : key)),
  )
}

function refreshKeys(tenantId: string): void {
  void queryClient.invalidateQueries({ queryKey: keysOf(tenantId) })
  void queryClient.invalidateQueries({ queryKey: MATCHING_KEYS })
  refreshTenants()
}

/** Refetches the keys of all open tenants. */
export function refreshOpenKeys(): void {
  void queryClient.invalidateQueries({ queryKey: ALL_KEYS })
  void queryClient.invalidateQueries({ queryKey: MATCHING_KEYS })
}
