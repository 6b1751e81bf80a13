import type { Admin } from '@switchboard/contract/tenant-admins'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { ButtonLink } from '#src/components/button-link.tsx'
import { EmptyList } from '#src/components/empty-list.tsx'
import { ListContent } from '#src/components/list-content.tsx'
import { Page } from '#src/components/page.tsx'
import { RefreshButton } from '#src/components/refresh-button.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { totalText } from '#src/lib/count.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { notify } from '#src/lib/notify.ts'
import { useSelection } from '#src/lib/selection.ts'
import { type AdminList, adminListOf, adminsQuery, useToggleAdmin } from './admins.api.ts'
import { AdminsTable } from './admins-table.tsx'
import { AdminsTools } from './admins-tools.tsx'

type Open = { kind: 'none' } | { kind: 'export' } | { kind: 'delete'; admin: Admin }

const route = getRouteApi('/signed-in/users')
const DeleteAdminDialog = lazyPart(() => import('./delete-admin-dialog.tsx').then((code) => code.DeleteAdminDialog))
const ExportAdminsDialog = lazyPart(() => import('./export-admins-dialog.tsx').then((code) => code.ExportAdminsDialog))
const AdminsBulkBar = lazyPart(() => import('./admins-bulk-bar.tsx').then((code) => code.AdminsBulkBar))

/** Every user of every tenant and the super admins (spec §2, Users). What it shows is all in the address. */
export function AdminsPage() {
  const list = adminListOf(route.useSearch())
  const admins = useQuery({ ...adminsQuery(list), placeholderData: keepPreviousData })
  const toggling = useToggleAdmin()
  const selection = useSelection(list)
  const [open, setOpen] = useState<Open>({ kind: 'none' })

  function toggle({ id, email, is_active }: Admin) {
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
          <RefreshButton query={admins} noun="users" />
          <NewUser />
        </>
      }
    >
      <AdminsTools list={list} rows={admins.data?.rows} onExport={() => setOpen({ kind: 'export' })} />
      <ListContent
        query={admins}
        noun="users"
        total={admins.data && usersText(admins.data.total)}
        empty={<NoUsers list={list} />}
      >
        <AdminsTable
          page={admins.data}
          list={list}
          selection={selection}
          busy={admins.isPlaceholderData}
          onToggle={toggle}
          onDelete={(admin) => setOpen({ kind: 'delete', admin })}
          onIntent={() => void DeleteAdminDialog.preload?.()}
        />
      </ListContent>
      <Suspense>
        {selection.ids.size > 0 && <AdminsBulkBar list={list} total={admins.data?.total} selection={selection} />}
      </Suspense>
      <Suspense>
        {open.kind === 'export' && (
          <ExportAdminsDialog list={list} total={admins.data?.total} onClose={() => setOpen({ kind: 'none' })} />
        )}
        {open.kind === 'delete' && (
          <DeleteAdminDialog
            admin={open.admin}
            onDeleted={() => selection.choose([open.admin.id], false)}
            onClose={() => setOpen({ kind: 'none' })}
          />
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

function NoUsers({ list }: { list: AdminList }) {
  return (
    <EmptyList
      list={list}
      noun="users"
      searchHelp="Search looks at e-mail addresses; choose a tenant to see its users."
      title="No users found"
      help="A user is somebody who looks after one tenant, as admin, manager or user."
      action={<NewUser />}
    />
  )
}

function usersText(total: string): string {
  return `${totalText(total)} ${total === '1' ? 'user' : 'users'}`
}
