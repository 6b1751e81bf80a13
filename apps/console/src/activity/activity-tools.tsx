import type { AuditRow, AuditTargetType } from '@switchboard/contract/activity'
import { DayFilter } from '#src/ui/filters/day-filter.tsx'
import { FilterChip } from '#src/ui/filters/filter-chip.tsx'
import { FilterSelect } from '#src/ui/filters/filter-select.tsx'
import { ListFilter } from '#src/ui/filters/list-filter.tsx'
import { WeekFilter } from '#src/ui/filters/week-filter.tsx'
import { ListTools } from '#src/ui/list/list-tools.tsx'
import { useChangeList } from '#src/lists/list-params.ts'
import { TenantFilterSelect } from '#src/tenants/tenant-filter-select.tsx'
import type { ActivityList } from './activity.api.ts'
import { ActorFilterSelect } from './actor-filter-select.tsx'
import { ACTION_OPTIONS, OUTCOME_BADGES, TARGET_TYPE_LABELS, targetText } from './activity-labels.ts'

const SORTS = [
  { value: '-at', label: 'Newest' },
  { value: 'at', label: 'Oldest' },
] satisfies { value: ActivityList['sort']; label: string }[]
const TARGET_TYPES = Object.entries(TARGET_TYPE_LABELS).map(([value, label]) => ({ value, label }))
const OUTCOMES = Object.entries(OUTCOME_BADGES).map(([value, { text }]) => ({ value, label: text }))

type Props = { list: ActivityList; isOfTenant: boolean; rows: AuditRow[] | undefined; onExport: () => void }

export function ActivityTools({ list, isOfTenant, rows, onExport }: Props) {
  const change = useChangeList<ActivityList>()
  return (
    <ListTools list={list} searchLabel="Search name, email or request ID" sorts={SORTS} onExport={onExport}>
      {list.target_id !== undefined && <TargetChip id={list.target_id} type={list.target_type} rows={rows} />}
      <ActorFilterSelect value={list.actor} rows={rows} onChange={(actor) => change({ actor })} />
      {!isOfTenant && <TenantFilterSelect value={list.tenant_id} rows={rows} />}
      <FilterSelect
        label="Action"
        all="All actions"
        value={list.action ?? ''}
        options={ACTION_OPTIONS}
        // An action implies its type of target.
        onChange={(action) => change({ action, ...(list.target_id === undefined && { target_type: undefined }) })}
      />
      {list.target_id === undefined && (
        <FilterSelect
          label="Kind"
          all="All kinds"
          value={list.target_type ?? ''}
          options={TARGET_TYPES}
          onChange={(target_type) => change({ target_type, action: undefined })}
        />
      )}
      <ListFilter list={list} name="outcome" label="Outcome" all="All outcomes" options={OUTCOMES} />
      <WeekFilter from={list.from} to={list.to} onChange={change} />
      <DayFilter label="From" value={list.from} max={list.to} onChange={(from) => change({ from })} />
      <DayFilter label="To" value={list.to} min={list.from} onChange={(to) => change({ to })} />
    </ListTools>
  )
}

/** Chip of the history of a record, with a button to remove the filter. */
function TargetChip({ id, type, rows }: { id: string; type: AuditTargetType | undefined; rows: Props['rows'] }) {
  const change = useChangeList<ActivityList>()
  const row = rows?.find(({ target_id }) => target_id === id)
  const name = (row && targetText(row)) ?? id.slice(0, 8)
  return (
    <FilterChip
      text={type ? `${TARGET_TYPE_LABELS[type]} ${name}` : name}
      onClear={() => change({ target_id: undefined, target_type: undefined })}
    >
      {type && TARGET_TYPE_LABELS[type]} <bdi>{name}</bdi>
    </FilterChip>
  )
}
