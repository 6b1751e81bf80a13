import type { User } from '@switchboard/contract/users'
import { IconBan } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Badge } from '#src/ui/badge/badge.tsx'
import { columnsOfDeleted, keptUntilText } from '#src/ui/list/deleted-records.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { Day } from '#src/ui/time/day.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { Person } from '#src/ui/person/person.tsx'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { relativeText } from '#src/lib/format/moment.ts'
import { shortId } from '#src/lib/format/short-id.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { useIsSelf } from '#src/lib/session.ts'
import { ROLE_LABELS } from './role-labels.ts'
import { userBadge, withoutTenant } from './user-labels.ts'
import hidden from '#src/ui/page/visually-hidden.module.css'
import css from './users-table.module.css'

export const USER_COLUMNS: Column<User>[] = [
  {
    head: 'Email',
    cell: (user) => <UserPerson user={user} />,
    sort: { by: 'email', first: 'ascending' },
    skeleton: '65%',
  },
  {
    head: 'Role',
    cell: ({ role }) => <Badge tone="outline" text={ROLE_LABELS[role]} />,
    visibleFrom: 'small',
    skeleton: '60px',
  },
  { head: 'Tenant', isOfTenant: true, cell: (user) => <Tenant user={user} />, width: '24%', skeleton: '60%' },
  { head: 'Status', cell: (user) => <StatusBadge user={user} />, skeleton: '64px' },
  {
    head: 'Last sign-in',
    cell: ({ last_sign_in_at }) => (last_sign_in_at === null ? 'Never' : <RelativeTime moment={last_sign_in_at} />),
    sort: { by: 'last_sign_in', first: 'descending' },
    visibleFrom: 'wide',
    skeleton: '60px',
  },
  {
    head: 'Created At',
    cell: (user) => <Day moment={user.created_at} />,
    sort: { by: 'created_at', first: 'descending' },
    visibleFrom: 'laptop',
    skeleton: '80px',
  },
]

/** The columns of deleted users: until when they can be restored. */
export const DELETED_USER_COLUMNS = columnsOfDeleted(USER_COLUMNS, 'Created At')

/** A user on a phone; below its tenant without the tenant. */
export function UserPhoneRow({ user, isOfTenant }: { user: User; isOfTenant: boolean }) {
  return (
    <PhoneRow
      name={<UserPerson user={user} />}
      badge={<StatusBadge user={user} />}
      facts={[
        user.deleted_at === null ? ROLE_LABELS[user.role] : keptUntilText(user.deleted_at),
        isOfTenant ? (
          lastSignInText(user)
        ) : (
          <span key="tenant" className="line">
            <span className={css.cut} dir="auto">
              {user.tenant_id === null ? (
                withoutTenant(user)
              ) : (
                <TenantLink tenantId={user.tenant_id} name={user.tenant_name} />
              )}
            </span>
            {user.tenant_id !== null && <span className={css.id}>{shortId(user.tenant_id)}</span>}
            {user.tenant_status === 'inactive' && <InactiveMark />}
          </span>
        ),
      ]}
    />
  )
}

function lastSignInText({ last_sign_in_at }: User): string {
  return last_sign_in_at === null ? 'Never signed in' : `Signed in ${relativeText(last_sign_in_at)}`
}

function UserPerson({ user }: { user: User }) {
  const isSelf = useIsSelf()
  return <Person name={user.name} email={user.email} isSelf={isSelf(user)} />
}

/** The name links to the tenant, at its users; its id distinguishes tenants with the same name. */
function Tenant({ user }: { user: User }) {
  const { tenant_id, tenant_name, tenant_status } = user
  if (tenant_id === null) return <span className="ink-3">{withoutTenant(user)}</span>
  return (
    <div className="line">
      <TenantLink tenantId={tenant_id} name={tenant_name} className={`two-lines ${css.tenantName}`} />
      <span className={css.id}>{shortId(tenant_id)}</span>
      {tenant_status === 'inactive' && <InactiveMark />}
    </div>
  )
}

type TenantLinkProps = { tenantId: string; name: string | null; className?: string }

function TenantLink({ tenantId, name, className }: TenantLinkProps) {
  return (
    <Link to="/tenants/$tenantId/users" params={{ tenantId }} className={className} data-tooltip="cut" dir="auto">
      {name}
    </Link>
  )
}

function InactiveMark() {
  return (
    <span className={css.inactive} data-tooltip="Tenant inactive">
      <IconBan size={14} aria-hidden />
      <span className={hidden.hidden}>Tenant inactive</span>
    </span>
  )
}

function StatusBadge({ user }: { user: User }) {
  if (user.deleted_at !== null) return <Badge tone="neutral" text="Deleted" dot />
  return <Badge {...userBadge(user, serverNow())} dot />
}
