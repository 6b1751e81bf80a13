import { CreatedFilter } from '#src/ui/list/created-filter.tsx'
import { FilterChip } from '#src/ui/list/filter-chip.tsx'
import { FilterSelect } from '#src/ui/list/filter-select.tsx'
import { ListTools } from '#src/ui/list/list-tools.tsx'
import { useChangeList } from '#src/lists/list-params.ts'
import { ATTENTION_OPTIONS, STATUS_OPTIONS, TYPE_OPTIONS } from './tenant-labels.ts'
import type { TenantList } from './tenants.api.ts'

const SORTS = [
  { value: '-created_at', label: 'Newest' },
  { value: 'created_at', label: 'Oldest' },
  { value: 'name', label: 'Name A–Z' },
  { value: '-name', label: 'Name Z–A' },
  { value: 'subdomain', label: 'Subdomain A–Z' },
  { value: '-subdomain', label: 'Subdomain Z–A' },
  { value: '-admin_count', label: 'Most admins' },
  { value: 'admin_count', label: 'Fewest admins' },
] satisfies { value: TenantList['sort']; label: string }[]

type Props = { list: TenantList; onExport: () => void }

export function TenantsTools({ list, onExport }: Props) {
  const change = useChangeList<TenantList>()
  return (
    <ListTools list={list} searchLabel="Search name or subdomain" sorts={SORTS} onExport={onExport}>
      <FilterSelect
        label="Status"
        all="All statuses"
        value={list.status ?? ''}
        options={STATUS_OPTIONS}
        onChange={(status) => change({ status })}
      />
      <FilterSelect
        label="Type"
        all="All types"
        value={list.tenant_type ?? ''}
        options={TYPE_OPTIONS}
        onChange={(tenant_type) => change({ tenant_type })}
      />
      <FilterSelect
        label="Attention"
        all="Needs attention: any"
        value={list.attention ?? ''}
        options={ATTENTION_OPTIONS}
        onChange={(attention) => change({ attention })}
      />
      {list.id !== undefined && <FilterChip text="One tenant" onClear={() => change({ id: undefined })} />}
      <CreatedFilter from={list.created_from} to={list.created_to} />
    </ListTools>
  )
}
