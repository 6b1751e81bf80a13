import {
  type CreateTenantBody,
  createTenant,
  deleteTenant,
  type Tenant,
  tenantList,
  type UpdateTenantBody,
  updateTenant,
} from '@switchboard/contract/tenants'
import { CACHE_LIFETIME_MS } from '@switchboard/contract/wire/retries'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call, callPage } from '#src/lib/call.ts'
import { listApi } from '#src/lib/list-api.ts'
import { changeRows, queryClient } from '#src/lib/query-client.ts'

const ALL_TENANTS = ['tenants']
const TENANT_PAGES = [...ALL_TENANTS, 'pages']

export const tenantPages = listApi(tenantList, TENANT_PAGES)
export type TenantList = ReturnType<typeof tenantPages.listOf>

/** One tenant by its id; null when there is none. */
export function tenantQuery(id: string) {
  return queryOptions({
    queryKey: [...ALL_TENANTS, 'one', id],
    queryFn: async ({ signal }) =>
      (await callPage(tenantList.list, { query: { id, limit: 1 }, signal })).rows[0] ?? null,
  })
}

/** The first matching tenants by name, as choices of a select. */
export function tenantChoicesQuery(search: string) {
  const list = tenantPages.listOf({ q: search, sort: 'name', limit: '25' })
  // Keeps the first choice stable while the admin fills in a form.
  return { ...tenantPages.query({ ...list, q: search === '' ? undefined : list.q }), staleTime: CACHE_LIFETIME_MS }
}

export function useCreateTenant() {
  return useMutation({
    mutationFn: (body: CreateTenantBody) => call(createTenant, { body }),
    onSuccess: refreshTenants,
  })
}

/** Saves over the version that `tenant` has; another one by now is a 412 with the `staleTenant` of the contract. */
export function useUpdateTenant() {
  return useMutation({
    mutationFn: ({ tenant, body }: { tenant: Tenant; body: UpdateTenantBody }) =>
      call(updateTenant, { params: { id: tenant.id }, body, ifMatch: tenant.version }),
    onSuccess: (saved) => {
      // At once, so that whoever opens it again does not edit what it was before.
      changeRows<Tenant>(TENANT_PAGES, (rows) => rows.map((tenant) => (tenant.id === saved.id ? saved : tenant)))
      refreshTenants()
    },
  })
}

export function useDeleteTenant() {
  return useMutation({
    mutationFn: (tenant: Tenant) => call(deleteTenant, { params: { id: tenant.id } }),
    // At once, so that the row is gone when the dialog closes.
    onSuccess: (_, { id }) => changeRows<Tenant>(TENANT_PAGES, (rows) => rows.filter((tenant) => tenant.id !== id)),
    // Also when it failed: somebody else may have deleted it. What belonged to it is gone from other lists as well.
    onSettled: () => void queryClient.invalidateQueries(),
  })
}

/** Reads the tenants again where they are shown, as when their counts have changed, and what is counted of them. */
export function refreshTenants(): void {
  void queryClient.invalidateQueries({ queryKey: ALL_TENANTS })
}
