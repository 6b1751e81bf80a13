import type { User } from '@switchboard/contract/users'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { ButtonLink } from '#src/ui/page/button-link.tsx'
import { EmptyList } from '#src/ui/list/empty-list.tsx'
import { ListContent } from '#src/ui/list/list-content.tsx'
import { BulkBar, ExportDialog } from '#src/ui/list/lazy-parts.ts'
import { Page } from '#src/ui/page/page.tsx'
import { RefreshButton } from '#src/ui/list/refresh-button.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { listText } from '#src/lib/format/count.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { notify } from '#src/lib/notify.ts'
import { filtersOf, withoutPage } from '#src/lists/list-params.ts'
import { useSelection } from '#src/lists/selection.ts'
import { userBulk } from './bulk-users.api.ts'
import { type UserList, userPages, useToggleUser } from './users.api.ts'
import { UsersTable } from './users-table.tsx'
import { UsersTools } from './users-tools.tsx'

type Open = { kind: 'none' } | { kind: 'export' } | { kind: 'delete'; user: User }

const route = getRouteApi('/signed-in/users')
const DeleteUserDialog = lazyPart(() => import('./delete-user-dialog.tsx').then((code) => code.DeleteUserDialog))

/** Every user of every tenant, and the super admins. The URL holds the state of the page. */
export function UsersPage() {
  const list = userPages.listOf(route.useSearch())
  const users = useQuery({ ...userPages.query(list), placeholderData: keepPreviousData })
  const toggling = useToggleUser()
  const selection = useSelection(list)
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })

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
    <Page
      title="Users"
      subtitle="Manage admin users for all tenants"
      action={
        <>
          <RefreshButton query={users} noun="users" />
          <NewUser />
        </>
      }
    >
      <UsersTools list={list} rows={users.data?.rows} onExport={() => setOpen({ kind: 'export' })} />
      <ListContent
        query={users}
        noun="users"
        total={users.data && listText(users.data.total, 'user', false)}
        empty={<NoUsers list={list} />}
      >
        <UsersTable
          page={users.data}
          list={list}
          selection={selection}
          busy={users.isPlaceholderData}
          onToggle={toggle}
          onDelete={(user) => setOpen({ kind: 'delete', user })}
          onIntent={() => void DeleteUserDialog.preload?.()}
        />
      </ListContent>
      <Suspense>
        {selection.ids.size > 0 && (
          <BulkBar bulk={userBulk(withoutPage(list))} total={users.data?.total} selection={selection} />
        )}
      </Suspense>
      <Suspense>
        {open.kind === 'export' && (
          <ExportDialog
            title="Export Users"
            content={listText(users.data?.total, 'user', filtersOf(list).length > 0)}
            start={(signal) => userPages.file(list, signal)}
            onClose={close}
          />
        )}
        {open.kind === 'delete' && (
          <DeleteUserDialog user={open.user} onDeleted={() => selection.set([open.user.id], false)} onClose={close} />
        )}
      </Suspense>
    </Page>
  )
}

function NewUser() {
  return (
    <ButtonLink to="/users/create" leftSection={<IconPlus size={16} aria-hidden />}>
      New User
    </ButtonLink>
  )
}

function NoUsers({ list }: { list: UserList }) {
  return (
    <EmptyList
      list={list}
      noun="users"
      searchHelp="Search looks at e-mail addresses; choose a tenant to see its users."
      title="No users found"
      help="A user is a person who manages one tenant, as admin, manager or user."
      action={<NewUser />}
    />
  )
}
