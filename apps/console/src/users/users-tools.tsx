import type { User } from '@switchboard/contract/users'
import { CreatedFilter } from '#src/ui/list/created-filter.tsx'
import { ListFilter } from '#src/ui/list/list-filter.tsx'
import { ListTools } from '#src/ui/list/list-tools.tsx'
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
  return (
    <ListTools list={list} searchLabel="Search e-mail" sorts={SORTS} onExport={onExport}>
      <TenantFilterSelect value={list.tenant_id} rows={rows} />
      <ListFilter list={list} name="role" label="Role" all="All roles" options={ROLE_FILTERS} />
      <ListFilter list={list} name="is_active" label="Status" all="All statuses" options={ACTIVE_OPTIONS} />
      <ListFilter
        list={list}
        name="never_signed_in"
        label="Sign-in"
        all="Any sign-in"
        options={[{ value: 'true', label: 'Never signed in' }]}
      />
      <CreatedFilter from={list.created_from} to={list.created_to} />
    </ListTools>
  )
}
