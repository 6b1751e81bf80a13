import type { User } from '@switchboard/contract/users'
import { IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ListScreen } from '#src/ui/list/list-screen.tsx'
import { useHistoryAction } from '#src/activity/use-history-action.ts'
import { messageOf } from '#src/lib/call-error.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { notify } from '#src/lib/notify.ts'
import { withoutPage } from '#src/lists/list-params.ts'
import { userBulk } from './bulk-users.api.ts'
import { userPages, useToggleUser } from './users.api.ts'
import { useIsOwnAccount, USER_COLUMNS, UserPhoneRow } from './users-table.tsx'
import { UsersTools } from './users-tools.tsx'

const route = getRouteApi('/signed-in/users')
const DeleteUserDialog = lazyPart(() => import('./delete-user-dialog.tsx').then((code) => code.DeleteUserDialog))

/** Every user of every tenant, and the super admins. The URL holds the state of the page. */
export function UsersPage() {
  const list = userPages.listOf(route.useSearch())
  const users = useQuery({ ...userPages.query(list), placeholderData: keepPreviousData })
  const toggling = useToggleUser()
  const isOwnAccount = useIsOwnAccount()
  const historyOf = useHistoryAction('user')

  function toggle({ id, email, is_active }: User) {
    toggling.mutate(
      { id, is_active: !is_active },
      {
        onSuccess: () =>
          notify('ok', is_active ? `${email} was deactivated and signed out.` : `${email} was activated.`),
        onError: (error) => notify('bad', messageOf(error, `${email} could not be changed.`)),
      },
    )
  }

  return (
    <ListScreen
      title="Users"
      subtitle="Manage admin users for all tenants"
      noun="user"
      list={list}
      query={users}
      create={{ to: '/users/create', label: 'New User' }}
      renderTools={(onExport) => <UsersTools list={list} rows={users.data?.rows} onExport={onExport} />}
      empty={{
        searchHelp: 'Search looks at e-mail addresses; choose a tenant to see its users.',
        title: 'No users found',
        help: 'A user is a person who manages one tenant, as admin, manager or user.',
      }}
      columns={USER_COLUMNS}
      nameOf={(user) => user.email}
      // No admin may deactivate or delete their own account.
      actionsOf={(user, remove) =>
        isOwnAccount(user)
          ? [historyOf({ id: user.id, name: user.email })]
          : [
              {
                id: 'toggle',
                label: user.is_active ? 'Deactivate' : 'Activate',
                Icon: user.is_active ? IconUserOff : IconUserCheck,
                onSelect: () => toggle(user),
              },
              historyOf({ id: user.id, name: user.email }),
              remove,
            ]
      }
      renderDeletion={(user, on) => <DeleteUserDialog user={user} {...on} />}
      renderPhoneRow={(user) => <UserPhoneRow user={user} />}
      bulk={userBulk(withoutPage(list))}
      file={(signal) => userPages.file(list, signal)}
      onIntent={() => void DeleteUserDialog.preload?.()}
    />
  )
}
