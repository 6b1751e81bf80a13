import type { AdminSort } from '@switchboard/contract/tenant-admins'
import { SEARCH_MAX } from '@switchboard/contract/lists'
import { getRouteApi } from '@tanstack/react-router'
import { FilterSelect } from '#src/components/filter-select.tsx'
import { SearchField } from '#src/components/search-field.tsx'
import { type ChosenTenant, TenantSelect } from '#src/tenants/tenant-select.tsx'
import { ACTIVE_OPTIONS, ROLE_OPTIONS, ROLE_WORDS } from './admin-words.ts'
import type { AdminList } from './admins.api.ts'
import css from './admins-tools.module.css'

const route = getRouteApi('/signed-in/users')

const ROLE_FILTERS = [...ROLE_OPTIONS, { value: 'super_admin', label: ROLE_WORDS.super_admin }]

/** For phones, where there are no heads to click. */
const SORT_OPTIONS = [
  { value: '-created_at', label: 'Newest' },
  { value: 'created_at', label: 'Oldest' },
  { value: 'email', label: 'Email A–Z' },
  { value: '-email', label: 'Email Z–A' },
] satisfies { value: AdminSort; label: string }[]

/** Search and filters. Each change starts again at the first page. */
export function AdminsTools({ list, tenant }: { list: AdminList; tenant: ChosenTenant | null }) {
  const change = useChangeAdminList()
  return (
    <search className={css.tools}>
      <div className={css.search}>
        <SearchField
          label="Search e-mail"
          value={list.q ?? ''}
          maxLength={SEARCH_MAX}
          // One step in the history for a search, not one for each pause in the typing.
          onSearch={(q) => change({ q }, { replace: list.q !== undefined })}
        />
      </div>
      <div className={css.tenant}>
        <TenantSelect
          aria-label="Tenant"
          placeholder="All tenants"
          value={tenant}
          clearable
          onChange={(chosen) => change({ tenant_id: chosen?.id })}
        />
      </div>
      <div className={css.filter}>
        <FilterSelect
          label="Role"
          all="All roles"
          value={list.role ?? ''}
          options={ROLE_FILTERS}
          onChange={(role) => change({ role })}
        />
      </div>
      <div className={css.filter}>
        <FilterSelect
          label="Status"
          all="All statuses"
          value={list.is_active === undefined ? '' : String(list.is_active)}
          options={ACTIVE_OPTIONS}
          onChange={(is_active) => change({ is_active })}
        />
      </div>
      <div className={css.sort}>
        <FilterSelect label="Sort by" value={list.sort} options={SORT_OPTIONS} onChange={(sort) => change({ sort })} />
      </div>
    </search>
  )
}

type Change = { [Name in 'q' | 'role' | 'tenant_id' | 'is_active' | 'sort' | 'limit']?: string | undefined }

/** Changes what the list shows, in the address, from the first page on. */
export function useChangeAdminList() {
  const navigate = route.useNavigate()
  return (change: Change, { replace = false } = {}) =>
    void navigate({
      search: (before) => ({ ...before, cursor: undefined, ...change }),
      replace,
      resetScroll: false,
    })
}
