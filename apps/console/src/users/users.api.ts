import {
  USER_SORT_DEFAULT,
  USER_SORTS,
  type User,
  userListQuery,
  type CreateUserBody,
  createUser,
  deleteUser,
  listUsers,
  toggleUser,
} from '@switchboard/contract/users'
import { queryOptions, useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'
import { call, callPage } from '#src/lib/call.ts'
import { pageSize } from '#src/lib/page-size.ts'
import { changeRows, prefetch, queryClient } from '#src/lib/query-client.ts'

const ALL_USERS = ['admins']

const { q, role, tenant_id, is_active, created_from, created_to, cursor } = userListQuery.shape
// Whatever else somebody typed into the address counts as not said.
const usersSearch = z.object({
  q: otherwise(q, undefined),
  role: otherwise(role, undefined),
  tenant_id: otherwise(tenant_id, undefined),
  is_active: otherwise(is_active, undefined),
  created_from: otherwise(created_from, undefined),
  created_to: otherwise(created_to, undefined),
  sort: otherwise(z.enum(USER_SORTS), USER_SORT_DEFAULT),
  limit: pageSize,
  cursor: otherwise(cursor, undefined),
})

/** The address of /users as a list: narrowed to what the contract knows, with the defaults filled in. */
export function userListOf(search: { [Name in keyof typeof usersSearch.shape]?: string | undefined }) {
  return usersSearch.parse(search)
}
export type UserList = ReturnType<typeof userListOf>

/** One page of the users. */
export function usersQuery(list: UserList) {
  return queryOptions({
    queryKey: [...ALL_USERS, list],
    queryFn: ({ signal }) => callPage(listUsers, { query: list, signal }),
  })
}

/** Starts to fetch what /users will show, without making the page wait for it. */
export function prefetchUsers(search: Parameters<typeof userListOf>[0]): void {
  prefetch(usersQuery(userListOf(search)))
}

export function useCreateUser() {
  return useMutation({
    mutationFn: (body: CreateUserBody) => call(createUser, { body }),
    onSuccess: refreshAll,
  })
}

/** Lets a user in or out. The list shows it at once, and takes it back when it fails. */
export function useToggleUser() {
  return useMutation({
    mutationFn: ({ id, is_active: isActive }: Pick<User, 'id' | 'is_active'>) =>
      call(toggleUser, { params: { id }, body: { is_active: isActive } }),
    onMutate: async (changed) => {
      await queryClient.cancelQueries({ queryKey: ALL_USERS })
      showActive(changed)
    },
    onError: (_, { id, is_active: isActive }) => showActive({ id, is_active: !isActive }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ALL_USERS }),
  })
}

export function useDeleteUser() {
  return useMutation({
    mutationFn: (admin: User) => call(deleteUser, { params: { id: admin.id } }),
    // At once, so that the row is gone when the dialog closes.
    onSuccess: (_, { id }) => changeRows<User>(ALL_USERS, (rows) => rows.filter((admin) => admin.id !== id)),
    // Also when it failed: somebody else may have deleted them.
    onSettled: refreshAll,
  })
}

function showActive({ id, is_active: isActive }: Pick<User, 'id' | 'is_active'>): void {
  changeRows<User>(ALL_USERS, (rows) =>
    rows.map((admin) => (admin.id === id ? { ...admin, is_active: isActive } : admin)),
  )
}

/** The tenants count their admins. */
function refreshAll(): void {
  void queryClient.invalidateQueries()
}
