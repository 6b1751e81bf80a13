import {
  type CreateTenantBody,
  createTenant,
  deleteTenant,
  listTenants,
  type Tenant,
  TENANT_SORT_DEFAULT,
  TENANT_SORTS,
  tenantListQuery,
  type UpdateTenantBody,
  updateTenant,
} from '@switchboard/contract/tenants'
import { CACHE_LIFETIME_MS } from '@switchboard/contract/wire/retries'
import { queryOptions, useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'
import { call, callPage } from '#src/lib/call.ts'
import { pageSize } from '#src/lib/page-size.ts'
import { changeRows, prefetch, queryClient } from '#src/lib/query-client.ts'

const ALL_TENANTS = ['tenants']
const TENANT_PAGES = [...ALL_TENANTS, 'pages']

const { q, status, tenant_type, attention, created_from, created_to, cursor } = tenantListQuery.shape
// Whatever else somebody typed into the address counts as not said.
const tenantsSearch = z.object({
  q: otherwise(q, undefined),
  id: otherwise(tenantListQuery.shape.id, undefined),
  status: otherwise(status, undefined),
  tenant_type: otherwise(tenant_type, undefined),
  attention: otherwise(attention, undefined),
  created_from: otherwise(created_from, undefined),
  created_to: otherwise(created_to, undefined),
  sort: otherwise(z.enum(TENANT_SORTS), TENANT_SORT_DEFAULT),
  limit: pageSize,
  cursor: otherwise(cursor, undefined),
})

/** The address of /tenants as a list: narrowed to what the contract knows, with the defaults filled in. */
export function tenantListOf(search: { [Name in keyof typeof tenantsSearch.shape]?: string | undefined }) {
  return tenantsSearch.parse(search)
}
export type TenantList = ReturnType<typeof tenantListOf>

/** One page of the tenants. */
export function tenantsQuery(list: Omit<TenantList, 'sort'> & { sort?: TenantList['sort'] | undefined }) {
  return queryOptions({
    queryKey: [...TENANT_PAGES, list],
    queryFn: ({ signal }) => callPage(listTenants, { query: list, signal }),
  })
}

/** One tenant by its id; null when there is none. */
export function tenantQuery(id: string) {
  return queryOptions({
    queryKey: [...ALL_TENANTS, 'one', id],
    queryFn: async ({ signal }) => (await callPage(listTenants, { query: { id, limit: 1 }, signal })).rows[0] ?? null,
  })
}

/** The first matching tenants by name, as choices of a select. */
export function tenantChoicesQuery(search: string) {
  const list = tenantListOf({ q: search, sort: 'name', limit: '25' })
  // Keeps the first choice stable while the admin fills in a form.
  return { ...tenantsQuery({ ...list, q: search === '' ? undefined : list.q }), staleTime: CACHE_LIFETIME_MS }
}

/** Starts to fetch what /tenants will show, without making the page wait for it. */
export function prefetchTenants(search: Parameters<typeof tenantListOf>[0]): void {
  prefetch(tenantsQuery(tenantListOf(search)))
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
