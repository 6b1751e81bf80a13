import { SEARCH_MAX } from '@switchboard/contract/wire/lists'
import type { Tenant } from '@switchboard/contract/tenants'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { SearchSelect } from '#src/ui/field/search-select.tsx'
import { totalText } from '#src/lib/format/count.ts'
import { shortId } from '#src/lib/format/short-id.ts'
import type { Filter, FindOptions } from '#src/lists/filters.ts'
import { tenantOptionsQuery, useTenant } from './tenants.api.ts'

const LOAD_FAILED = 'Failed to load tenants. Please try again.'
const SEARCH_AFTER_MS = 200

/** A tenant in the select. The subdomain is known for a tenant from the list. */
export type ChosenTenant = Pick<Tenant, 'id' | 'name'> & { subdomain?: string }

type Props = Pick<
  ComponentProps<typeof SearchSelect>,
  'label' | 'aria-label' | 'error' | 'required' | 'disabled' | 'clearable' | 'pushesDown'
> & {
  value: ChosenTenant | null
  placeholder?: string
  /** Loads the tenants when the pointer or the focus arrives, for a select that is seldom opened. */
  lazy?: boolean
  onChange: (tenant: ChosenTenant | null) => void
}

/** A select over all tenants, searched by the server. */
export function TenantSelect({
  value,
  placeholder = 'Search name or subdomain',
  lazy = false,
  onChange,
  error,
  ...props
}: Props) {
  const [isEnabled, setIsEnabled] = useState(!lazy)
  const [term, setTerm] = useState('')
  const { loaded, isError, refetch, ...found } = useTenantSearch(term, isEnabled)
  const selected = loaded.find((tenant) => tenant.id === value?.id)
  return (
    <SearchSelect
      {...props}
      placeholder={placeholder}
      {...found}
      value={value && { value: value.id, label: selected?.name ?? value.name }}
      // An error beside a filter would push the list down.
      error={isError && !lazy ? LOAD_FAILED : error}
      maxLength={SEARCH_MAX}
      onSearch={setTerm}
      onApproach={() => setIsEnabled(true)}
      // Opening the select again retries a failed list.
      onOpen={() => void (isError && refetch())}
      onChange={(id) => onChange(loaded.find((tenant) => tenant.id === id) ?? null)}
    />
  )
}

type TenantRow = { tenant_id: string | null; tenant_name: string | null }

/** A filter by tenant. The name of the tenant comes from the first row, or from a separate query without rows. */
export function useTenantFilter(
  id: string | undefined,
  rows: readonly TenantRow[] | undefined,
): Filter<'tenant_id'> & { kind: 'search' } {
  const name = rows?.find((row) => row.tenant_id === id)?.tenant_name
  const tenant = useTenant(name ? undefined : id)
  return {
    kind: 'search',
    name: 'tenant_id',
    label: 'Tenant',
    chosen: id && (name ?? tenant?.name ?? `Tenant ${shortId(id)}`),
    Find: FindTenants,
  }
}

const FindTenants: FindOptions = ({ term, children }) => children(useTenantSearch(term))

/** The first tenants that match a term, as options. */
function useTenantSearch(term: string, isEnabled = true) {
  const [search] = useDebouncedValue(term, SEARCH_AFTER_MS)
  const tenants = useQuery({ ...tenantOptionsQuery(search), placeholderData: keepPreviousData, enabled: isEnabled })
  const loaded = tenants.data?.rows ?? []
  // Until the server has answered, filter the loaded options, so that a quick Enter never selects a tenant that does
  // not match.
  const isStale = term !== search || tenants.isPlaceholderData
  const options = isStale ? loaded.filter((tenant) => matches(tenant, term)) : loaded
  return {
    loaded,
    isError: tenants.isError,
    refetch: tenants.refetch,
    options: options.map(({ id, name, subdomain }) => ({ value: id, label: name, hint: subdomain })),
    emptyText:
      isStale || tenants.isFetching ? 'Loading tenants...' : tenants.isError ? LOAD_FAILED : 'No tenants found',
    moreText: isStale || !tenants.data ? undefined : moreText(loaded.length, tenants.data.total),
  }
}

/** Undefined when all matches are loaded. */
function moreText(count: number, total: string): string | undefined {
  return String(count) === total ? undefined : `${count} of ${totalText(total)}: type to find others`
}

function matches({ name, subdomain }: Tenant, term: string): boolean {
  return [name, subdomain].some((text) => text.toLowerCase().includes(term.toLowerCase()))
}
