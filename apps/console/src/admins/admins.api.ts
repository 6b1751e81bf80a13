import {
  ADMIN_SORT_DEFAULT,
  ADMIN_SORTS,
  type Admin,
  adminListQuery,
  type CreateAdminBody,
  createAdmin,
  deleteAdmin,
  listAdmins,
  toggleAdmin,
} from '@switchboard/contract/tenant-admins'
import { queryOptions, useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'
import { refreshAnalytics } from '#src/dashboard/refresh-analytics.api.ts'
import { call, callPage } from '#src/lib/call.ts'
import { pageSize } from '#src/lib/page-size.ts'
import { changeRows, prefetch, queryClient } from '#src/lib/query-client.ts'

const ALL_ADMINS = ['admins']

const { q, role, tenant_id, is_active, created_from, created_to, cursor } = adminListQuery.shape
// Whatever else somebody typed into the address counts as not said.
const adminsSearch = z.object({
  q: otherwise(q, undefined),
  role: otherwise(role, undefined),
  tenant_id: otherwise(tenant_id, undefined),
  is_active: otherwise(is_active, undefined),
  created_from: otherwise(created_from, undefined),
  created_to: otherwise(created_to, undefined),
  sort: otherwise(z.enum(ADMIN_SORTS), ADMIN_SORT_DEFAULT),
  limit: pageSize,
  cursor: otherwise(cursor, undefined),
})

/** The address of /users as a list: narrowed to what the contract knows, with the defaults filled in. */
export function adminListOf(search: { [Name in keyof typeof adminsSearch.shape]?: string | undefined }) {
  return adminsSearch.parse(search)
}
export type AdminList = ReturnType<typeof adminListOf>

/** One page of the users. */
export function adminsQuery(list: AdminList) {
  return queryOptions({
    queryKey: [...ALL_ADMINS, list],
    queryFn: ({ signal }) => callPage(listAdmins, { query: list, signal }),
  })
}

/** Starts to fetch what /users will show, without making the page wait for it. */
export function prefetchAdmins(search: Parameters<typeof adminListOf>[0]): void {
  prefetch(adminsQuery(adminListOf(search)))
}

export function useCreateAdmin() {
  return useMutation({
    mutationFn: (body: CreateAdminBody) => call(createAdmin, { body }),
    onSuccess: refreshAll,
  })
}

/** Lets a user in or out. The list shows it at once, and takes it back when it fails. */
export function useToggleAdmin() {
  return useMutation({
    mutationFn: ({ id, is_active: isActive }: Pick<Admin, 'id' | 'is_active'>) =>
      call(toggleAdmin, { params: { id }, body: { is_active: isActive } }),
    onMutate: async (changed) => {
      await queryClient.cancelQueries({ queryKey: ALL_ADMINS })
      showActive(changed)
    },
    onError: (_, { id, is_active: isActive }) => showActive({ id, is_active: !isActive }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ALL_ADMINS })
      refreshAnalytics()
    },
  })
}

export function useDeleteAdmin() {
  return useMutation({
    mutationFn: (admin: Admin) => call(deleteAdmin, { params: { id: admin.id } }),
    // At once, so that the row is gone when the dialog closes.
    onSuccess: (_, { id }) => changeRows<Admin>(ALL_ADMINS, (rows) => rows.filter((admin) => admin.id !== id)),
    // Also when it failed: somebody else may have deleted them.
    onSettled: refreshAll,
  })
}

function showActive({ id, is_active: isActive }: Pick<Admin, 'id' | 'is_active'>): void {
  changeRows<Admin>(ALL_ADMINS, (rows) =>
    rows.map((admin) => (admin.id === id ? { ...admin, is_active: isActive } : admin)),
  )
}

/** The tenants count their admins. */
function refreshAll(): void {
  void queryClient.invalidateQueries()
}
