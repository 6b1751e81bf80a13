import type { Capability } from '@switchboard/contract/auth/capabilities'
import { consoleRole } from '@switchboard/contract/auth/current-admin'
import type { User } from '@switchboard/contract/users'
import { IconLock, IconLogin2, IconMail, IconPencil, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { LIST_PAGE } from '#src/lists/list-page.ts'
import { ListScreen } from '#src/ui/list/list-screen.tsx'
import { columnsOfTenant } from '#src/ui/table/column.ts'
import { useHistoryAction } from '#src/ui/table/use-history-action.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useIsSelf } from '#src/lib/session.ts'
import { bulkOf } from '#src/lists/list-api.ts'
import type { Filter } from '#src/lists/filters.ts'
import { withoutPage } from '#src/lists/list-params.ts'
import { useRestoreAction } from '#src/ui/list/deleted-records.tsx'
import { useTenantFilter } from '#src/tenants/tenant-select.tsx'
import { tenantQuery } from '#src/tenants/tenants.api.ts'
import { TenantInactiveChip } from '#src/tenants/status/tenant-inactive-chip.tsx'
import { ROLE_LABELS } from './role-labels.ts'
import { ACTIVE_OPTIONS, isWithoutPassword, ROLE_OPTIONS } from './user-labels.ts'
import { userBulk } from './bulk-users.api.ts'
import { restoreDeletedUser, useInviteUser, type UserList, userPages, useToggleUser } from './users.api.ts'
import { DELETED_USER_COLUMNS, USER_COLUMNS, UserPhoneRow } from './users-table.tsx'

const ROLE_FILTERS = [...ROLE_OPTIONS, ...consoleRole.options.map((value) => ({ value, label: ROLE_LABELS[value] }))]
const NEVER_SIGNED_IN = [{ value: 'true', label: 'Never signed in' }]

const SORTS = [
  { value: '-created_at', label: 'Newest' },
  { value: 'created_at', label: 'Oldest' },
  { value: 'email', label: 'Email A–Z' },
  { value: '-email', label: 'Email Z–A' },
  { value: '-last_sign_in', label: 'Signed in last' },
  { value: 'last_sign_in', label: 'Signed in longest ago' },
] satisfies { value: UserList['sort']; label: string }[]

const EditUserDialog = lazyPart(() => import('./edit-user-dialog.tsx').then((code) => code.EditUserDialog))
const SetPasswordDialog = lazyPart(() => import('./set-password-dialog.tsx').then((code) => code.SetPasswordDialog))
const DeactivateMemberDialog = lazyPart(() =>
  import('#src/team/deactivate-member-dialog.tsx').then((code) => code.DeactivateMemberDialog),
)
const InvitationLinkDialog = lazyPart(() =>
  import('#src/team/invitations/invitation-link-dialog.tsx').then((code) => code.InvitationLinkDialog),
)
const PortalSignInsDialog = lazyPart(() =>
  import('./portal-sign-ins/portal-sign-ins-dialog.tsx').then((code) => code.PortalSignInsDialog),
)
const DeleteUserDialog = lazyPart(() => import('./delete-user-dialog.tsx').then((code) => code.DeleteUserDialog))

type Open =
  | { kind: 'edit' | 'set password' | 'deactivate' | 'sign-ins'; user: User }
  | { kind: 'link'; user: User; link: string }

/** Every user of every tenant and the people who run the console, or the users of one tenant. The URL holds the state of the page. */
export function UsersPage() {
  const { tenantId } = useParams({ strict: false })
  const list = userPages.listOf(useSearch({ strict: false }))
  const listed = { ...list, tenant_id: tenantId ?? list.tenant_id }
  const users = useQuery({ ...userPages.query(listed), ...LIST_PAGE })
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const toggle = useToggleUser()
  const invite = useInvitation((user, link) => setOpen({ kind: 'link', user, link }))
  const isSelf = useIsSelf()
  const historyOf = useHistoryAction('user')
  const restoreOf = useRestoreAction<User>(restoreDeletedUser, ({ email }) => email)
  const isDeleted = list.deleted !== undefined
  const columns = isDeleted ? DELETED_USER_COLUMNS : USER_COLUMNS

  const ofTenant = useTenantFilter(list.tenant_id, users.data?.rows)
  const filters: Filter<keyof UserList>[] = [
    ...(tenantId === undefined ? [ofTenant] : []),
    { kind: 'options', name: 'role', label: 'Role', options: tenantId === undefined ? ROLE_FILTERS : ROLE_OPTIONS },
    { kind: 'options', name: 'is_active', label: 'Status', options: ACTIVE_OPTIONS, hasDeleted: true },
    { kind: 'options', name: 'never_signed_in', label: 'Sign-in', options: NEVER_SIGNED_IN },
    { kind: 'days', label: 'Created', from: 'created_from', to: 'created_to' },
  ]
  const tenant = useQuery({ ...tenantQuery(list.tenant_id ?? ''), enabled: list.tenant_id !== undefined }).data

  return (
    <ListScreen
      title="Users"
      subtitle="Manage admin users for all tenants"
      noun="user"
      list={list}
      query={users}
      saved={{ list: 'users', Total: userPages.Total }}
      all={userPages.useTotal(userPages.listOf({ tenant_id: tenantId }), list)}
      create={{ to: '/users/create', search: { tenant_id: tenantId }, label: 'New User' }}
      alert={tenant?.status === 'inactive' && <TenantInactiveChip tenant={tenant} />}
      importTo="/users/import"
      searchLabel="Search name or email"
      sorts={SORTS}
      filters={filters}
      empty={{
        searchHelp: 'Search looks at names and email addresses; choose a tenant to see its users.',
        title: 'No users found',
        help: 'A user is a person who manages one tenant, as admin, manager or user.',
      }}
      columns={tenantId === undefined ? columns : columnsOfTenant(columns)}
      nameOf={(user) => user.email}
      // No admin may change, deactivate or delete their own account here.
      actionsOf={(user, remove) =>
        user.deleted_at !== null
          ? [{ ...restoreOf(user), capability: capabilityFor(user, 'delete') }, historyOf(user)]
          : isSelf(user)
            ? [historyOf(user)]
            : [
                {
                  label: 'Edit',
                  shortcut: 'E',
                  Icon: IconPencil,
                  capability: capabilityFor(user, 'edit'),
                  onSelect: () => setOpen({ kind: 'edit', user }),
                },
                ...(user.tenant_id === null
                  ? []
                  : [
                      {
                        label: 'Set Password',
                        Icon: IconLock,
                        capability: 'edit' as const,
                        onSelect: () => setOpen({ kind: 'set password', user }),
                      },
                    ]),
                ...(isWithoutPassword(user) && user.is_active
                  ? [
                      {
                        label: consoleSettings.mail ? 'Send Invitation' : 'New Invitation Link',
                        Icon: IconMail,
                        capability: 'edit' as const,
                        onSelect: () => void invite(user),
                      },
                    ]
                  : []),
                {
                  id: 'toggle',
                  label: user.is_active ? 'Deactivate' : 'Activate',
                  Icon: user.is_active ? IconUserOff : IconUserCheck,
                  capability: capabilityFor(user, 'edit'),
                  onSelect: () =>
                    user.tenant_id === null && user.is_active ? setOpen({ kind: 'deactivate', user }) : toggle(user),
                },
                historyOf(user),
                ...(user.tenant_id === null
                  ? []
                  : [
                      {
                        label: 'Portal Sign-ins',
                        Icon: IconLogin2,
                        capability: 'view' as const,
                        onSelect: () => setOpen({ kind: 'sign-ins', user }),
                      },
                    ]),
                { ...remove, capability: capabilityFor(user, 'delete') },
              ]
      }
      renderDeletion={(user, on) => <DeleteUserDialog user={user} {...on} />}
      renderPhoneRow={(user) => <UserPhoneRow user={user} isOfTenant={tenantId !== undefined} />}
      bulk={bulkOf(userBulk(withoutPage(listed)), isDeleted)}
      file={(signal) => userPages.file(listed, signal)}
      onIntent={preloadDialogs}
    >
      {open?.kind === 'edit' && <EditUserDialog user={open.user} onClose={close} />}
      {open?.kind === 'deactivate' && (
        <DeactivateMemberDialog member={open.user} onDeactivate={() => toggle(open.user)} onClose={close} />
      )}
      {open?.kind === 'sign-ins' && <PortalSignInsDialog user={open.user} onClose={close} />}
      {open?.kind === 'set password' && <SetPasswordDialog user={open.user} onClose={close} />}
      {open?.kind === 'link' && <InvitationLinkDialog email={open.user.email} link={open.link} onDone={close} />}
    </ListScreen>
  )
}

/** Sends a user an invitation. Without a mail server, `onLink` gets the link to pass on. */
function useInvitation(onLink: (user: User, link: string) => void) {
  const { mutateAsync: send } = useInviteUser()
  return async function invite(user: User): Promise<void> {
    try {
      const { invitation_link } = await send(user)
      if (invitation_link !== null) return onLink(user, invitation_link)
      notify('ok', `The invitation to ${user.email} is on its way.`, { about: user.id })
    } catch (error) {
      notifyFailure(error, `The invitation to ${user.email} could not be sent.`, {
        about: user.id,
        onRetry: () => void invite(user),
      })
    }
  }
}

/** An account of the console belongs to the team. */
function capabilityFor({ tenant_id }: User, ofTenant: Capability): Capability {
  return tenant_id === null ? 'team' : ofTenant
}

function preloadDialogs() {
  void EditUserDialog.preload?.()
  void DeleteUserDialog.preload?.()
}
