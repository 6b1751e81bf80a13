import {
  type User,
  type CreateUserBody,
  createUser,
  deleteUser,
  toggleUser,
  userList,
} from '@switchboard/contract/users'
import { useMutation } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { listApi } from '#src/lists/list-api.ts'
import { changeRows, queryClient, refreshAfterChange } from '#src/lib/query-client.ts'

const ALL_USERS = ['users']

export const userPages = listApi(userList, ALL_USERS)
export type UserList = ReturnType<typeof userPages.listOf>

export function useCreateUser() {
  return useMutation({
    mutationFn: (body: CreateUserBody) => call(createUser, { body }),
    onSuccess: refreshAll,
  })
}

/** Activates or deactivates a user. Optimistic update, rolled back after a failure. */
export function useToggleUser() {
  return useMutation({
    mutationFn: ({ id, is_active: isActive }: Pick<User, 'id' | 'is_active'>) =>
      call(toggleUser, { params: { id }, body: { is_active: isActive } }),
    onMutate: async (changed) => {
      await queryClient.cancelQueries({ queryKey: ALL_USERS })
      showActive(changed)
    },
    onError: (_, { id, is_active: isActive }) => showActive({ id, is_active: !isActive }),
    onSettled: () => refreshAfterChange(ALL_USERS),
  })
}

export function useDeleteUser() {
  return useMutation({
    mutationFn: (user: User) => call(deleteUser, { params: { id: user.id } }),
    // At once, so that the row is gone when the dialog closes.
    onSuccess: (_, { id }) => changeRows<User>(ALL_USERS, (rows) => rows.filter((user) => user.id !== id)),
    // After a failure too: another admin may have deleted the user.
    onSettled: refreshAll,
  })
}

function showActive({ id, is_active: isActive }: Pick<User, 'id' | 'is_active'>): void {
  changeRows<User>(ALL_USERS, (rows) => rows.map((user) => (user.id === id ? { ...user, is_active: isActive } : user)))
}

/** The tenants count their admins. */
function refreshAll(): void {
  void queryClient.invalidateQueries()
}
