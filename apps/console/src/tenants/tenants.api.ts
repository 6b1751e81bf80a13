import {
  type CreateTenantBody,
  createTenant,
  deleteTenant,
  listTenantTags,
  type Tenant,
  tenantList,
  type UpdateTenantBody,
  updateTenant,
} from '@switchboard/contract/tenants'
import { CACHE_LIFETIME_MS } from '@switchboard/contract/wire/retries'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { callOnce } from '#src/lib/call-once.ts'
import { call, callPage } from '#src/lib/call.ts'
import { exportApi, listApi } from '#src/lists/list-api.ts'
import { changeRows, queryClient, refreshAfterChange } from '#src/lib/query-client.ts'

const ALL_TENANTS = ['tenants']
const TENANT_PAGES = [...ALL_TENANTS, 'pages']

export const tenantPages = { ...listApi(tenantList, TENANT_PAGES), ...exportApi(tenantList) }
export type TenantList = ReturnType<typeof tenantPages.listOf>

/** A tenant by its id; null without such a tenant. */
export function tenantQuery(id: string) {
  return queryOptions({
    queryKey: [...ALL_TENANTS, 'one', id],
    queryFn: async ({ signal }) =>
      (await callPage(tenantList.list, { query: { id, limit: 1 }, signal })).rows[0] ?? null,
  })
}

/** The tags of all tenants, as options of a filter. */
export const tagOptionsQuery = queryOptions({
  queryKey: [...ALL_TENANTS, 'tags'],
  queryFn: async ({ signal }) =>
    (await call(listTenantTags, { signal })).tags.map((tag) => ({ value: tag, label: tag })),
})

/** The first matching tenants by name, as options of a select. */
export function tenantOptionsQuery(search: string) {
  const list = tenantPages.listOf({ q: search, sort: 'name', limit: '25' })
  // Keeps the first option stable while the admin fills in a form.
  return { ...tenantPages.query({ ...list, q: search === '' ? undefined : list.q }), staleTime: CACHE_LIFETIME_MS }
}

/** The tenant with this id; undefined while loading, null without such a tenant. */
export function useTenant(id: string | undefined): Tenant | null | undefined {
  return useQuery({ ...tenantQuery(id ?? ''), enabled: id !== undefined }).data
}

/** The preselected tenant of a form: the first of the list. */
export function useFirstTenant(): Tenant | null {
  return useQuery(tenantOptionsQuery('')).data?.rows[0] ?? null
}

export function useCreateTenant() {
  return useMutation({
    mutationFn: (body: CreateTenantBody) => callOnce(createTenant, { body }),
    onSuccess: refreshTenants,
  })
}

/** Saves the version in `tenant`; another current version is a 412 with `staleTenant` of the contract. */
export function useUpdateTenant() {
  return useMutation({
    mutationFn: ({ tenant, body }: { tenant: Tenant; body: UpdateTenantBody }) =>
      call(updateTenant, { params: { id: tenant.id }, body, ifMatch: tenant.version }),
    onSuccess: (saved) => {
      // Update the cache at once, so that reopening the dialog does not edit the old values.
      changeRows<Tenant>(TENANT_PAGES, (rows) => rows.map((tenant) => (tenant.id === saved.id ? saved : tenant)))
      queryClient.setQueryData(tenantQuery(saved.id).queryKey, saved)
      // Calls, keys and tasks show the status too.
      void queryClient.invalidateQueries()
    },
  })
}

export function useDeleteTenant() {
  return useMutation({
    mutationFn: (tenant: Tenant) => call(deleteTenant, { params: { id: tenant.id } }),
    // Remove the row at once, so that it is gone when the dialog closes.
    onSuccess: (_, { id }) => changeRows<Tenant>(TENANT_PAGES, (rows) => rows.filter((tenant) => tenant.id !== id)),
    onSettled: (_, error, { id }) =>
      void queryClient.invalidateQueries({
        // The page of the deleted tenant is still open for a moment. After a failure, another admin may have deleted it.
        predicate: ({ queryKey }) => error !== null || !JSON.stringify(queryKey).includes(id),
      }),
  })
}

/** Refetches tenants where they are shown, and their counts. */
export function refreshTenants(): void {
  refreshAfterChange(ALL_TENANTS)
}
