import { use } from 'react'
import { useChangeList } from '#src/lists/list-params.ts'
import { shortId } from '#src/lib/format/short-id.ts'
import { FilterChip } from '#src/ui/filters/filter-chip.tsx'
import { FilterView } from '#src/ui/filters/filter-view.ts'
import css from './tenant-filter-select.module.css'
import { type ChosenTenant, TenantSelect } from './tenant-select.tsx'
import { useTenant } from './tenants.api.ts'

type Props = {
  /** The id in the URL. */
  value: string | undefined
  /** Filtered rows; the tenant's name comes from the first row, or from a separate query without rows. */
  rows: readonly { tenant_id: string | null; tenant_name: string | null }[] | undefined
}

/** Filters a list by tenant. */
export function TenantFilterSelect({ value, rows }: Props) {
  const change = useChangeList<{ tenant_id: string }>()
  const view = use(FilterView)
  const selected = useSelectedTenant(value, rows)
  if (view === 'chips') {
    return selected && <FilterChip text={selected.name} onClear={() => change({ tenant_id: undefined })} />
  }
  return (
    <div className={css.filter}>
      <TenantSelect
        {...(view === 'sheet' ? { label: 'Tenant', pushesDown: true } : { 'aria-label': 'Tenant' })}
        placeholder="All tenants"
        value={selected}
        clearable
        lazy
        onChange={(tenant) => change({ tenant_id: tenant?.id })}
      />
    </div>
  )
}

function useSelectedTenant(id: string | undefined, rows: Props['rows']): ChosenTenant | null {
  const name = rows?.find((row) => row.tenant_id === id)?.tenant_name
  const tenant = useTenant(name ? undefined : id)
  if (id === undefined) return null
  return { id, name: name ?? tenant?.name ?? `Tenant ${shortId(id)}` }
}
