import type { User } from '@switchboard/contract/users'
import { IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Badge } from '#src/ui/page/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { Day } from '#src/ui/page/day.tsx'
import { ListTable } from '#src/ui/table/list-table.tsx'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { useHistoryAction } from '#src/ui/list/use-history-action.ts'
import type { ListPage } from '#src/lib/call.ts'
import type { Selection } from '#src/lists/selection.ts'
import { shortId } from '#src/lib/format/short-id.ts'
import { useSession } from '#src/lib/session.ts'
import { ROLE_LABELS } from './user-labels.ts'
import type { UserList } from './users.api.ts'
import css from './users-table.module.css'

const columns: Column<User>[] = [
  {
    head: 'Email',
    cell: (admin) => <Email admin={admin} />,
    sort: { by: 'email', first: 'ascending' },
    skeleton: '65%',
  },
  { head: 'Role', cell: (admin) => <RoleBadge admin={admin} />, width: '116px', only: 'medium', skeleton: '60px' },
  { head: 'Tenant', cell: (admin) => <Tenant admin={admin} />, width: '25%', skeleton: '60%' },
  { head: 'Status', cell: (admin) => <StatusBadge admin={admin} />, width: '116px', skeleton: '64px' },
  {
    head: 'Created At',
    cell: (admin) => <Day moment={admin.created_at} />,
    sort: { by: 'created_at', first: 'descending' },
    width: '136px',
    only: 'wide',
    skeleton: '80px',
  },
]

type Props = {
  /** Undefined while the first page is on its way. */
  page: ListPage<User[]> | undefined
  list: UserList
  selection: Selection
  busy: boolean
  onToggle: (admin: User) => void
  onDelete: (admin: User) => void
  /** Preloads the code of a dialog. */
  onIntent: () => void
}

export function UsersTable({ onToggle, onDelete, ...props }: Props) {
  const isOneself = useIsOneself()
  const historyOf = useHistoryAction('user')
  return (
    <ListTable
      {...props}
      label="Users"
      columns={columns}
      nameOf={(admin) => admin.email}
      // No admin may deactivate or delete their own account.
      actionsOf={(admin) =>
        isOneself(admin)
          ? [historyOf({ id: admin.id, name: admin.email })]
          : [
              {
                id: 'toggle',
                label: admin.is_active ? 'Deactivate' : 'Activate',
                Icon: admin.is_active ? IconUserOff : IconUserCheck,
                onSelect: () => onToggle(admin),
              },
              historyOf({ id: admin.id, name: admin.email }),
              { label: 'Delete', Icon: IconTrash, danger: true, onSelect: () => onDelete(admin) },
            ]
      }
      renderPhoneRow={(admin) => (
        <PhoneRow
          name={<Email admin={admin} />}
          badge={<StatusBadge admin={admin} />}
          facts={[
            ROLE_LABELS[admin.role],
            <span key="tenant" className={css.tenant}>
              <span className={css.cut} dir="auto">
                {admin.tenant_name ?? 'System Admin'}
              </span>
              {admin.tenant_id !== null && <span className={css.id}>{shortId(admin.tenant_id)}</span>}
            </span>,
          ]}
        />
      )}
    />
  )
}

function useIsOneself(): (admin: User) => boolean {
  const session = useSession()
  return (admin) => session.kind === 'authenticated' && session.admin.id === admin.id
}

function Email({ admin }: { admin: User }) {
  const isOneself = useIsOneself()
  return (
    <div className={css.email}>
      <span className={`${css.cut} ${css.name}`} data-tooltip="cut">
        {admin.email}
      </span>
      {isOneself(admin) && <span className={css.you}>You</span>}
    </div>
  )
}

/** The name links to the users of this tenant; its id distinguishes tenants with the same name. */
function Tenant({ admin: { tenant_id, tenant_name } }: { admin: User }) {
  if (tenant_id === null) return <span className={css.system}>System Admin</span>
  return (
    <div className={css.tenant}>
      <Link
        to="/users"
        search={(before) => ({ ...before, tenant_id, cursor: undefined })}
        preload={false}
        className={`${css.cut} ${css.tenantName}`}
        data-tooltip="cut"
        dir="auto"
      >
        {tenant_name}
      </Link>
      <span className={css.id}>{shortId(tenant_id)}</span>
    </div>
  )
}

const ROLE_TONES = { super_admin: 'neutral', admin: 'accent', manager: 'info', user: 'neutral' } as const

function RoleBadge({ admin }: { admin: User }) {
  return <Badge tone={ROLE_TONES[admin.role]}>{ROLE_LABELS[admin.role]}</Badge>
}

function StatusBadge({ admin }: { admin: User }) {
  return (
    <Badge tone={admin.is_active ? 'ok' : 'bad'} dot>
      {admin.is_active ? 'Active' : 'Inactive'}
    </Badge>
  )
}
