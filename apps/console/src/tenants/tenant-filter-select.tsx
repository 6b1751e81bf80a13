import { shortId } from '#src/lib/short-id.ts'
import css from './tenant-filter-select.module.css'
import { TenantSelect } from './tenant-select.tsx'

type Props = {
  /** The id in the address. */
  value: string | undefined
  /** What the filter leaves: the tenant's name comes with it. */
  rows: readonly { tenant_id: string | null; tenant_name: string | null }[] | undefined
  onChange: (tenantId: string | undefined) => void
}

/** Narrows a list to one tenant. */
export function TenantFilterSelect({ value, rows, onChange }: Props) {
  const name = rows?.find((row) => row.tenant_id === value)?.tenant_name
  return (
    <div className={css.filter}>
      <TenantSelect
        aria-label="Tenant"
        placeholder="All tenants"
        value={value === undefined ? null : { id: value, name: name ?? `Tenant ${shortId(value)}` }}
        clearable
        onChange={(chosen) => onChange(chosen?.id)}
      />
    </div>
  )
}
