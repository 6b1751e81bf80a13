import { CreatedFilter } from '#src/ui/list/created-filter.tsx'
import { FilterChip } from '#src/ui/list/filter-chip.tsx'
import { ListFilter } from '#src/ui/list/list-filter.tsx'
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
      <ListFilter list={list} name="status" label="Status" all="All statuses" options={STATUS_OPTIONS} />
      <ListFilter list={list} name="tenant_type" label="Type" all="All types" options={TYPE_OPTIONS} />
      <ListFilter
        list={list}
        name="attention"
        label="Attention"
        all="Needs attention: any"
        options={ATTENTION_OPTIONS}
      />
      {list.id !== undefined && <FilterChip text="One tenant" onClear={() => change({ id: undefined })} />}
      <CreatedFilter from={list.created_from} to={list.created_to} />
    </ListTools>
  )
}
