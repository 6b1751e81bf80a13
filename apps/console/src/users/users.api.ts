import {
  type ToggledUser,
  type User,
  type CreateUserBody,
  createUser,
  deleteUser,
  inviteUser,
  restoreUser,
  setUserPassword,
  toggleUser,
  type UpdateUserBody,
  updateUser,
  userList,
} from '@switchboard/contract/users'
import { useMutation } from '@tanstack/react-query'
import { callOnce } from '#src/lib/call-once.ts'
import { call } from '#src/lib/call.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { toggledText, undoneText } from './user-labels.ts'
import { exportApi, listApi } from '#src/lists/list-api.ts'
import { changeRows, queryClient, refreshAfterChange } from '#src/lib/query-client.ts'

const ALL_USERS = ['users']

export const userPages = { ...listApi(userList, ALL_USERS), ...exportApi(userList) }
export type UserList = ReturnType<typeof userPages.listOf>

export function useCreateUser() {
  return useMutation({
    mutationFn: (body: CreateUserBody) => callOnce(createUser, { body }),
    onSuccess: refreshAll,
  })
}

/** Changes the version that `user` has. Another version is a 412 with the current user. */
export function useUpdateUser() {
  return useMutation({
    mutationFn: ({ user: { id, version }, body }: { user: User; body: UpdateUserBody }) =>
      call(updateUser, { params: { id }, body, ifMatch: version }),
    // Update the cache at once, so that reopening the dialog does not edit the old values.
    onSuccess: replaceUser,
    onSettled: () => refreshAfterChange(ALL_USERS),
  })
}

/** Sends a user a new invitation. Not cached after the dialog closes: the answer may have the link. */
export function useInviteUser() {
  return useMutation({
    gcTime: 0,
    mutationFn: ({ id }: Pick<User, 'id'>) => callOnce(inviteUser, { params: { id } }),
    onSuccess: replaceUser,
    onSettled: () => refreshAfterChange(ALL_USERS),
  })
}

/** Not cached after the dialog closes: the input holds a secret. */
export function useSetPassword() {
  return useMutation({
    gcTime: 0,
    mutationFn: ({ user: { id }, password }: { user: User; password: string }) =>
      call(setUserPassword, { params: { id }, body: { password } }),
    onSuccess: replaceUser,
    onSettled: () => refreshAfterChange(ALL_USERS),
  })
}

function replaceUser(saved: User): void {
  changeRows<User>(ALL_USERS, (rows) => rows.map((user) => (user.id === saved.id ? saved : user)))
}

/** Activates or deactivates a user. Reports what changed, with Undo, or a failure, with "Try Again". */
export function useToggleUser() {
  return useMutation({ mutationFn: toggle }).mutate
}

async function toggle({ id, email, is_active: wasActive }: Pick<User, 'id' | 'email' | 'is_active'>): Promise<void> {
  try {
    const { ended_session_count: ended, ...toggled } = await setActive({ id, is_active: !wasActive })
    notify('ok', toggledText(toggled, ended), {
      about: id,
      onUndo: async () => {
        await setActive({ id, is_active: wasActive })
        return undoneText({ email, is_active: wasActive }, ended)
      },
    })
  } catch (error) {
    notifyFailure(error, `${email} could not be ${wasActive ? 'deactivated' : 'activated'}.`, {
      about: id,
      onRetry: () => void toggle({ id, email, is_active: wasActive }),
    })
  }
}

/** Optimistic update, rolled back after a failure. */
async function setActive({ id, is_active: isActive }: Pick<User, 'id' | 'is_active'>): Promise<ToggledUser> {
  await queryClient.cancelQueries({ queryKey: ALL_USERS })
  showActive({ id, is_active: isActive })
  try {
    return await call(toggleUser, { params: { id }, body: { is_active: isActive } })
  } catch (error) {
    showActive({ id, is_active: !isActive })
    throw error
  } finally {
    refreshAfterChange(ALL_USERS)
  }
}

export function useDeleteUser() {
  return useMutation({
    mutationFn: (user: User) => call(deleteUser, { params: { id: user.id } }),
    // Remove the row at once, so that it is gone when the dialog closes.
    onSuccess: (_, { id }) => changeRows<User>(ALL_USERS, (rows) => rows.filter((user) => user.id !== id)),
    // Refetch after a failure too, because another admin may have deleted the user.
    onSettled: refreshAll,
  })
}

/** Restores a deleted user, for Undo. */
export async function restoreDeletedUser({ id, email }: Pick<User, 'id' | 'email'>): Promise<string> {
  try {
    await call(restoreUser, { params: { id } })
    return `${email} was restored.`
  } finally {
    refreshAll()
  }
}

function showActive({ id, is_active: isActive }: Pick<User, 'id' | 'is_active'>): void {
  changeRows<User>(ALL_USERS, (rows) => rows.map((user) => (user.id === id ? { ...user, is_active: isActive } : user)))
}

/** The tenants count their admins. */
function refreshAll(): void {
  void queryClient.invalidateQueries()
}
