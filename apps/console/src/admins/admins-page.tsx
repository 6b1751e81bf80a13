import { Button } from '@mantine/core'
import type { Admin } from '@switchboard/contract/tenant-admins'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, lazyRouteComponent } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { Announcement } from '#src/components/announcement.tsx'
import { ButtonLink } from '#src/components/button-link.tsx'
import { EmptyState, ErrorState } from '#src/components/empty-state.tsx'
import { Page } from '#src/components/page.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { totalText } from '#src/lib/count.ts'
import { notify } from '#src/lib/notify.ts'
import { type ChosenTenant, useTenant } from '#src/tenants/tenant-select.tsx'
import { shortTenantId } from './admin-words.ts'
import { type AdminList, adminListOf, adminsQuery, useToggleAdmin } from './admins.api.ts'
import { AdminsTable } from './admins-table.tsx'
import { AdminsTools, useChangeAdminList } from './admins-tools.tsx'

type Open = { kind: 'none' } | { kind: 'delete'; admin: Admin }

const route = getRouteApi('/signed-in/users')
const DeleteAdminDialog = lazyRouteComponent(() => import('./delete-admin-dialog.tsx'), 'DeleteAdminDialog')

/** Every user of every tenant and the super admins (spec §2, Users). What it shows is all in the address. */
export function AdminsPage() {
  const list = adminListOf(route.useSearch())
  const admins = useQuery({ ...adminsQuery(list), placeholderData: keepPreviousData })
  const tenant = useChosenTenant(list, admins.data?.rows)
  const toggling = useToggleAdmin()
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
    <Page title="Users" subtitle="Manage admin users for all tenants" action={<NewUser />}>
      <AdminsTools list={list} tenant={tenant} />
      <Announcement>
        {admins.data && !admins.isFetching ? usersText(admins.data.total) : 'Loading users...'}
      </Announcement>
      {admins.isError ? (
        <ErrorState
          title="The users could not be loaded"
          message={messageOf(admins.error, 'An error occurred')}
          onRetry={() => void admins.refetch()}
        />
      ) : admins.data?.rows.length === 0 ? (
        <NoUsers list={list} />
      ) : (
        <AdminsTable
          page={admins.data}
          list={list}
          busy={admins.isPlaceholderData}
          onToggle={toggle}
          onDelete={(admin) => setOpen({ kind: 'delete', admin })}
          onIntent={() => void DeleteAdminDialog.preload?.()}
        />
      )}
      <Suspense>
        {open.kind === 'delete' && <DeleteAdminDialog admin={open.admin} onClose={() => setOpen({ kind: 'none' })} />}
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
  const change = useChangeAdminList()
  if (isFiltered(list)) {
    return (
      <EmptyState
        title="No users match."
        help="Search looks at e-mail addresses; choose a tenant to see its users."
        action={
          <Button
            variant="default"
            onClick={() => change({ q: undefined, role: undefined, tenant_id: undefined, is_active: undefined })}
          >
            Clear filters
          </Button>
        }
      />
    )
  }
  if (list.cursor !== undefined) {
    return (
      <EmptyState
        title="There are no users on this page any more."
        action={
          <Button variant="default" onClick={() => change({})}>
            First page
          </Button>
        }
      />
    )
  }
  return (
    <EmptyState
      title="No users found"
      help="A user is somebody who looks after one tenant, as admin, manager or user."
      action={<NewUser />}
    />
  )
}

/** The tenant of the filter. Its name comes with the users that it leaves, or by itself when there are none. */
function useChosenTenant({ tenant_id: id }: AdminList, rows: Admin[] | undefined): ChosenTenant | null {
  const name = rows?.find((admin) => admin.tenant_id === id)?.tenant_name
  const isNameless = rows !== undefined && !name
  const found = useTenant(isNameless ? id : undefined)
  if (id === undefined) return null
  return { id, name: name ?? found?.name ?? (found === null ? `Tenant ${shortTenantId(id)}` : '') }
}

function usersText(total: string): string {
  return `${totalText(total)} ${total === '1' ? 'user' : 'users'}`
}

function isFiltered({ q, role, tenant_id, is_active }: AdminList): boolean {
  return [q, role, tenant_id, is_active].some((filter) => filter !== undefined)
}
