import { SEARCH_MAX } from '@switchboard/contract/lists'
import type { TenantSort } from '@switchboard/contract/tenants'
import { getRouteApi } from '@tanstack/react-router'
import { FilterSelect } from '#src/components/filter-select.tsx'
import { SearchField } from '#src/components/search-field.tsx'
import { STATUS_OPTIONS, TYPE_OPTIONS } from './tenant-words.ts'
import type { TenantList } from './tenants.api.ts'
import css from './tenants-tools.module.css'

const route = getRouteApi('/signed-in/tenants')

/** For phones, where there are no heads to click. */
const SORT_OPTIONS = [
  { value: '-created_at', label: 'Newest' },
  { value: 'created_at', label: 'Oldest' },
  { value: 'name', label: 'Name A–Z' },
  { value: '-name', label: 'Name Z–A' },
  { value: 'subdomain', label: 'Subdomain A–Z' },
  { value: '-subdomain', label: 'Subdomain Z–A' },
  { value: '-admin_count', label: 'Most admins' },
  { value: 'admin_count', label: 'Fewest admins' },
] satisfies { value: TenantSort; label: string }[]

/** Search and filters. Each change starts again at the first page. */
export function TenantsTools({ list }: { list: TenantList }) {
  const change = useChangeTenantList()
  return (
    <search className={css.tools}>
      <div className={css.search}>
        <SearchField
          label="Search name or subdomain"
          value={list.q ?? ''}
          maxLength={SEARCH_MAX}
          // One step in the history for a search, not one for each pause in the typing.
          onSearch={(q) => change({ q }, { replace: list.q !== undefined })}
        />
      </div>
      <div className={css.filter}>
        <FilterSelect
          label="Status"
          all="All statuses"
          value={list.status ?? ''}
          options={STATUS_OPTIONS}
          onChange={(status) => change({ status })}
        />
      </div>
      <div className={css.filter}>
        <FilterSelect
          label="Type"
          all="All types"
          value={list.tenant_type ?? ''}
          options={TYPE_OPTIONS}
          onChange={(tenant_type) => change({ tenant_type })}
        />
      </div>
      <div className={css.sort}>
        <FilterSelect label="Sort by" value={list.sort} options={SORT_OPTIONS} onChange={(sort) => change({ sort })} />
      </div>
    </search>
  )
}

type Change = { [Name in 'q' | 'status' | 'tenant_type' | 'sort' | 'limit']?: string | undefined }

/** Changes what the list shows, in the address, from the first page on. */
export function useChangeTenantList() {
  const navigate = route.useNavigate()
  return (change: Change, { replace = false } = {}) =>
    void navigate({
      search: (before) => ({ ...before, cursor: undefined, ...change }),
      replace,
      resetScroll: false,
    })
}
