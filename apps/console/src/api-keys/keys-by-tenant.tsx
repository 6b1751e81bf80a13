import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import type { Tenant } from '@switchboard/contract/tenants'
import { IconBuilding, IconPlus, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { listText } from '#src/lib/format/count.ts'
import { tenantPages } from '#src/tenants/tenants.api.ts'
import { LIST_PAGE } from '#src/lists/list-page.ts'
import { ListScreen } from '#src/ui/list/list-screen.tsx'
import type { Column } from '#src/ui/table/column.ts'
import type { Action } from '#src/ui/table/action.ts'
import { keyLabel } from './api-key-labels.ts'
import {
  keyListOf,
  keyPages,
  refreshKeys,
  tenantKeysQuery,
  tenantKeySummariesQuery,
  tenantListOf,
} from './api-keys.api.ts'
import { KeyPhoneRow, shownKeys, keyColumns } from './key-columns.tsx'
import { type KeyView, SAVED_KEY_VIEWS, useKeyCounts, useKeyFilters } from './key-view.tsx'
import { KeysMessage, TenantHead } from './tenant-head.tsx'

const route = getRouteApi('/signed-in/keys')

type Keys = ReturnType<typeof useKeys>[number]
/** A tenant, one of its keys, or a sentence about its keys. */
type Row =
  | (Tenant & { kind?: undefined })
  | { kind: 'key'; id: string; key: ApiKeyRow }
  | { kind: 'message'; id: string; tenant: Tenant; keys: Keys }

/** The tenants, each with its keys when it is open. The URL lists the open tenants. */
export function KeysByTenant(view: KeyView) {
  const { sentence, viewSwitch, phoneViewActions, fold, actionsOf, onGenerate, onDelete, onIntent } = view
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = tenantListOf(search)
  const tenants = useQuery({ ...tenantPages.query(list), ...LIST_PAGE })
  const ids = tenants.data?.rows.map(({ id }) => id) ?? []
  const summaries = useQuery({ ...tenantKeySummariesQuery(ids), placeholderData: keepPreviousData })
  const openIds = new Set(search.open?.split(','))
  const open = tenants.data?.rows.filter(({ id }) => openIds.has(id)) ?? []
  const keysOf = new Map(useKeys(open).map((keys, at) => [open[at]?.id, keys]))
  const { all, active } = useKeyCounts(keyListOf({}))
  const isSearch = search.q !== undefined
  const columns = keyColumns(fold, 'group').map(({ sort: _sort, cell, ...column }): Column<Row> => ({
    ...column,
    cell: (row) => row.kind === 'key' && cell(row.key),
  }))

  const rows = tenants.data?.rows.flatMap((tenant): Row[] => {
    const keys = keysOf.get(tenant.id)
    if (keys === undefined) return [tenant]
    const shown = shownKeys(keys.data?.rows ?? [], fold)
    const hasAll = shown.length > 0 && keys.data?.next === null
    return [
      tenant,
      ...shown.map((key): Row => ({ kind: 'key', id: key.id, key })),
      ...(hasAll ? [] : [{ kind: 'message' as const, id: `${tenant.id}-message`, tenant, keys }]),
    ]
  })

  function toggle(id: string) {
    const next = openIds.has(id) ? openIds.difference(new Set([id])) : new Set([...openIds, id])
    void navigate({
      search: (before) => ({ ...before, open: [...next].join(',') }),
      replace: true,
      resetScroll: false,
    })
  }

  function renderWide(row: Row) {
    if (row.kind === 'key') return undefined
    if (row.kind === 'message') return <KeysMessage tenant={row.tenant} keys={row.keys} />
    return (
      <TenantHead
        tenant={row}
        week={summaries.data?.find(({ tenant_id }) => tenant_id === row.id)}
        isOpen={openIds.has(row.id)}
        onToggle={() => toggle(row.id)}
        onGenerate={() => onGenerate(row)}
      />
    )
  }

  function rowActions(row: Row): Action[] {
    if (row.kind === 'message') return []
    if (row.kind === 'key') {
      const { key } = row
      return [
        ...actionsOf(key),
        { label: 'Delete', Icon: IconTrash, capability: 'delete', danger: true, onSelect: () => onDelete(key) },
      ]
    }
    return [
      { label: 'Generate Key', Icon: IconPlus, capability: 'edit', onSelect: () => onGenerate(row) },
      {
        label: 'Open Tenant',
        Icon: IconBuilding,
        capability: 'view',
        onSelect: () => void navigate({ to: '/tenants/$tenantId/keys', params: { tenantId: row.id } }),
      },
    ]
  }

  const hasTenants = tenants.data === undefined || tenants.data.rows.length > 0 || isSearch
  return (
    <ListScreen
      title="API Keys"
      subtitle={sentence}
      noun="tenant"
      nouns="API keys"
      list={list}
      query={tenants}
      onRefresh={refreshKeys}
      saved={SAVED_KEY_VIEWS}
      counts={active && !isSearch ? listText(active, 'active key', false) : undefined}
      create={
        hasTenants
          ? { label: 'Generate Key', onCreate: () => onGenerate(null) }
          : { label: 'New Tenant', to: '/tenants/create' }
      }
      views={viewSwitch}
      phoneActions={phoneViewActions}
      searchLabel="Search tenants"
      filters={useKeyFilters(keyListOf({}), undefined)}
      count={all}
      all={tenantPages.useTotal(tenantPages.listOf({}), list)}
      empty={{
        searchHelp: 'This search looks at the names and subdomains of tenants. All keys also searches the keys.',
        title: 'No tenants found.',
        help: 'Keys belong to tenants: create one first.',
      }}
      columns={columns}
      rows={rows}
      renderWide={renderWide}
      isCompact
      nameOf={nameOf}
      actionsOf={rowActions}
      renderPhoneRow={(row) =>
        row.kind === 'key' ? <KeyPhoneRow apiKey={row.key} fold={fold} place="group" /> : renderWide(row)
      }
      file={(signal) => keyPages.file(keyListOf({ q: search.q }), signal)}
      exported={isSearch ? 'The keys that match the search' : listText(all, 'API key', false)}
      onIntent={onIntent}
    />
  )
}

function useKeys(tenants: readonly Tenant[]) {
  return useQueries({ queries: tenants.map(({ id }) => tenantKeysQuery(id)) })
}

function nameOf(row: Row): string {
  if (row.kind === 'key') return keyLabel(row.key)
  return row.kind === 'message' ? `Keys of ${row.tenant.name}` : row.name
}
