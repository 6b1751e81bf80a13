import type { Tenant } from '@switchboard/contract/tenants'
import { STATUS_OPTIONS, TYPE_OPTIONS } from './tenant-labels.ts'

/** What the Edit Tenant dialog changes. */
export type TenantDraft = Pick<Tenant, 'name' | 'status' | 'tenant_type' | 'goal' | 'aggressiveness'>

export type Difference = { field: string; theirs: string; yours: string }

/** Where two versions of a tenant differ, field by field, in the words of the form. */
export function tenantDifferences(theirs: TenantDraft, yours: TenantDraft): Difference[] {
  return FIELDS.map(({ field, text }) => ({ field, theirs: text(theirs), yours: text(yours) })).filter(
    (row) => row.theirs !== row.yours,
  )
}

const FIELDS: { field: string; text: (tenant: TenantDraft) => string }[] = [
  { field: 'Tenant name', text: (tenant) => tenant.name },
  { field: 'Status', text: (tenant) => labelOf(STATUS_OPTIONS, tenant.status) },
  { field: 'Business type', text: (tenant) => labelOf(TYPE_OPTIONS, tenant.tenant_type) },
  { field: 'Goal', text: (tenant) => tenant.goal },
  { field: 'Aggressiveness', text: (tenant) => tenant.aggressiveness.toFixed(1) },
]

function labelOf(options: readonly { value: string; label: string }[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? value
}
