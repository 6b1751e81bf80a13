import type { Task } from '@switchboard/contract/tasks'
import { FilterSelect } from '#src/ui/list/filter-select.tsx'
import { ListTools } from '#src/ui/list/list-tools.tsx'
import { useChangeList } from '#src/lists/list-params.ts'
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
  const change = useChangeList<TaskList>()
  return (
    <ListTools list={list} searchLabel="Search tenant or place" sorts={SORTS} onExport={onExport}>
      <TenantFilterSelect value={list.tenant_id} rows={rows} onChange={(tenant_id) => change({ tenant_id })} />
      <FilterSelect
        label="Frequency"
        all="All frequencies"
        value={list.frequency ?? ''}
        options={FREQUENCY_OPTIONS}
        onChange={(frequency) => change({ frequency })}
      />
      <FilterSelect
        label="Status"
        all="All statuses"
        value={list.status ?? ''}
        options={STATUS_OPTIONS}
        onChange={(status) => change({ status })}
      />
    </ListTools>
  )
}
