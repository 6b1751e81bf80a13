import type { Task } from '@switchboard/contract/tasks'
import { ListFilter } from '#src/ui/list/list-filter.tsx'
import { ListTools } from '#src/ui/list/list-tools.tsx'
import { TenantFilterSelect } from '#src/tenants/tenant-filter-select.tsx'
import { FREQUENCY_OPTIONS, STATUS_OPTIONS } from './task-labels.ts'
import type { TaskList } from './tasks.api.ts'

const SORTS = [
  { value: '-created_at', label: 'Newest' },
  { value: 'created_at', label: 'Oldest' },
  { value: 'next_run', label: 'Next run' },
  { value: '-next_run', label: 'Last to run' },
  { value: 'tenant_name', label: 'Tenant A–Z' },
  { value: '-tenant_name', label: 'Tenant Z–A' },
] satisfies { value: TaskList['sort']; label: string }[]

type Props = { list: TaskList; rows: Task[] | undefined; onExport: () => void }

export function TasksTools({ list, rows, onExport }: Props) {
  return (
    <ListTools list={list} searchLabel="Search tenant or place" sorts={SORTS} onExport={onExport}>
      <TenantFilterSelect value={list.tenant_id} rows={rows} />
      <ListFilter list={list} name="frequency" label="Frequency" all="All frequencies" options={FREQUENCY_OPTIONS} />
      <ListFilter list={list} name="status" label="Status" all="All statuses" options={STATUS_OPTIONS} />
    </ListTools>
  )
}
