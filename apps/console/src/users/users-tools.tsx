import type { User } from '@switchboard/contract/users'
import { CreatedFilter } from '#src/ui/list/created-filter.tsx'
import { FilterSelect } from '#src/ui/list/filter-select.tsx'
import { ListTools } from '#src/ui/list/list-tools.tsx'
import { useChangeList } from '#src/lists/list-params.ts'
import { TenantFilterSelect } from '#src/tenants/tenant-filter-select.tsx'
import { ACTIVE_OPTIONS, ROLE_OPTIONS, ROLE_LABELS } from './user-labels.ts'
import type { UserList } from './users.api.ts'

const ROLE_FILTERS = [...ROLE_OPTIONS, { value: 'super_admin', label: ROLE_LABELS.super_admin }]

const SORTS = [
  { value: '-created_at', label: 'Newest' },
  { value: 'created_at', label: 'Oldest' },
  { value: 'email', label: 'Email A–Z' },
  { value: '-email', label: 'Email Z–A' },
] satisfies { value: UserList['sort']; label: string }[]

type Props = { list: UserList; rows: User[] | undefined; onExport: () => void }

export function UsersTools({ list, rows, onExport }: Props) {
  const change = useChangeList<UserList>()
  return (
    <ListTools list={list} searchLabel="Search e-mail" sorts={SORTS} onExport={onExport}>
      <TenantFilterSelect value={list.tenant_id} rows={rows} onChange={(tenant_id) => change({ tenant_id })} />
      <FilterSelect
        label="Role"
        all="All roles"
        value={list.role ?? ''}
        options={ROLE_FILTERS}
        onChange={(role) => change({ role })}
      />
      <FilterSelect
        label="Status"
        all="All statuses"
        value={list.is_active === undefined ? '' : String(list.is_active)}
        options={ACTIVE_OPTIONS}
        onChange={(is_active) => change({ is_active })}
      />
      <FilterSelect
        label="Sign-in"
        all="Any sign-in"
        value={list.never_signed_in ?? ''}
        options={[{ value: 'true', label: 'Never signed in' }]}
        onChange={(never_signed_in) => change({ never_signed_in })}
      />
      <CreatedFilter from={list.created_from} to={list.created_to} />
    </ListTools>
  )
}
