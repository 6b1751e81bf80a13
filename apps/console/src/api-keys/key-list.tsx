import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { totalText } from '#src/lib/format/count.ts'
import { shortId } from '#src/lib/format/short-id.ts'
import { useHistoryAction } from '#src/ui/table/use-history-action.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { bulkOf } from '#src/lists/list-api.ts'
import { useRestoreAction } from '#src/ui/list/deleted-records.tsx'
import { filtersOf, useChangeList, withoutPage } from '#src/lists/list-params.ts'
import { useTenant } from '#src/tenants/tenants.api.ts'
import { FilterChip } from '#src/ui/filters/filter-chip.tsx'
import { MoreMenu } from '#src/ui/dialog/more-menu.tsx'
import { ListFilter } from '#src/ui/filters/list-filter.tsx'
import { StateFilter } from '#src/ui/filters/state-filter.tsx'
import { ListScreen } from '#src/ui/list/list-screen.tsx'
import {
  ENVIRONMENT_OPTIONS,
  EXPIRY_OPTIONS,
  KEY_ATTENTION_OPTIONS,
  keyLabel,
  listSummary,
  ORIGIN_OPTIONS,
} from './api-key-labels.ts'
import {
  isFolded,
  keyCountQuery,
  type KeyList as List,
  keyListOf,
  keyPageQuery,
  keyPages,
  restoreDeletedKey,
} from './api-keys.api.ts'
import type { KeyView } from './key-view.ts'
import { apiKeyBulk } from './bulk-api-keys.api.ts'
import { deletedKeyColumns, keyColumns, KeyPhoneRow, type ShownKey, shownKeys } from './key-columns.tsx'
import css from './key-list.module.css'
import { STATE_OPTIONS } from './key-state-labels.ts'
import { KeySwitch } from './key-switch.tsx'

const SORTS = [
  { value: 'tenant_name', label: 'Tenant A–Z' },
  { value: '-tenant_name', label: 'Tenant Z–A' },
  { value: 'name', label: 'Name A–Z' },
  { value: '-name', label: 'Name Z–A' },
  { value: '-state', label: 'Worst state' },
  { value: 'state', label: 'Best state' },
  { value: 'allowed_origins', label: 'Origin A–Z' },
  { value: '-allowed_origins', label: 'Origin Z–A' },
  { value: '-calls', label: 'Most calls' },
  { value: 'calls', label: 'Fewest calls' },
  { value: '-refused', label: 'Most refused calls' },
  { value: 'refused', label: 'Fewest refused calls' },
  { value: '-last_used_at', label: 'Used last' },
  { value: 'last_used_at', label: 'Unused longest' },
  { value: 'expires_at', label: 'Expires first' },
  { value: '-expires_at', label: 'Expires last' },
  { value: '-created_at', label: 'Newest' },
  { value: 'created_at', label: 'Oldest' },
] satisfies { value: List['sort']; label: string }[]

const SORTS_OF_TENANT = SORTS.filter(({ value }) => !value.includes('tenant'))
const DeleteKeyDialog = lazyPart(() => import('./delete-key-dialog.tsx').then((code) => code.DeleteKeyDialog))

/** The keys of all tenants, or of one, as one list. */
export function KeyList(view: KeyView) {
  const { sentence, viewSwitch, phoneViewActions, fold, actionsOf, onSwitch, onGenerate, onIntent } = view
  const { tenantId } = useParams({ strict: false })
  const list = keyListOf(useSearch({ strict: false }))
  const listed = { ...list, tenant_id: tenantId ?? list.tenant_id }
  const keys = useQuery({ ...keyPageQuery(listed), placeholderData: keepPreviousData })
  const all = useQuery({ ...keyCountQuery(listed), placeholderData: keepPreviousData })
  const isDeleted = list.deleted !== undefined
  const restoreOf = useRestoreAction<ShownKey>(restoreDeletedKey, ({ name }) => name)
  const historyOf = useHistoryAction('api_key')
  // In a list of one state, either all keys work or none.
  const working = useQuery({
    ...keyCountQuery({ ...listed, state: 'any_working' }),
    enabled: list.state === undefined && !isDeleted,
    placeholderData: keepPreviousData,
  })
  const summary =
    keys.data && all.data && listSummary(all.data, keys.data.total, list.state || isDeleted ? undefined : working.data)
  const isFiltered = filtersOf(list).length > 0

  return (
    <ListScreen
      title="API Keys"
      subtitle={
        <>
          {summary && <span>{summary} · </span>}
          <span>{sentence}</span>
        </>
      }
      noun="API key"
      list={list}
      query={keys}
      total={summary}
      create={{ label: 'Generate Key', onCreate: () => onGenerate(null) }}
      views={viewSwitch}
      phoneActions={phoneViewActions}
      searchLabel={tenantId === undefined ? 'Search name, secret, tenant, origin' : 'Search name, secret, origin'}
      sorts={tenantId === undefined ? SORTS : SORTS_OF_TENANT}
      isSortShown
      filters={
        <>
          {list.tenant_id !== undefined && <TenantChip tenantId={list.tenant_id} rows={keys.data?.rows} />}
          <StateFilter list={list} name="state" label="State" all="Any state" options={STATE_OPTIONS} />
          <ListFilter list={list} name="expiry" label="Expiry" all="Any expiry" options={EXPIRY_OPTIONS} />
          <ListFilter list={list} name="origins" label="Origins" all="All origins" options={ORIGIN_OPTIONS} />
          <ListFilter
            list={list}
            name="environment"
            label="Environment"
            all="Live and test"
            options={ENVIRONMENT_OPTIONS}
          />
          <ListFilter
            list={list}
            name="attention"
            label="Attention"
            all="Needs attention: any"
            options={KEY_ATTENTION_OPTIONS}
          />
        </>
      }
      empty={{
        searchHelp: 'Search looks at names, descriptions, both ends of secrets, IDs, tenants and origins.',
        title: 'No API keys yet.',
        help: 'A key connects the assistants of one tenant.',
      }}
      columns={(isDeleted ? deletedKeyColumns : keyColumns)(fold, tenantId !== undefined)}
      rows={keys.data && shownKeys(keys.data.rows, fold)}
      isCompact
      nameOf={keyLabel}
      actionsOf={(key, remove) =>
        key.deleted_at === null ? [...actionsOf(key), remove] : [restoreOf(key), historyOf(key)]
      }
      renderActions={(key, actions) => (
        <div className={css.actions}>
          {key.deleted_at === null && <KeySwitch apiKey={key} onSwitch={onSwitch} />}
          <MoreMenu label={keyLabel(key)} actions={actions} onIntent={onIntent} />
        </div>
      )}
      renderDeletion={(key, on) => <DeleteKeyDialog apiKey={key} {...on} />}
      renderPhoneRow={(key) => <KeyPhoneRow apiKey={key} fold={fold} isOfTenant={tenantId !== undefined} />}
      bulk={bulkOf(apiKeyBulk({ ...withoutPage(listed), fold: isFolded(list) ? 'true' : undefined }), isDeleted)}
      file={(signal) => keyPages.file(listed, signal)}
      exported={
        all.data && `${totalText(all.data)} ${isFiltered ? 'matching ' : ''}API ${all.data === '1' ? 'key' : 'keys'}`
      }
      onIntent={onIntent}
    />
  )
}

/** The filter by tenant, set by a link in a row. */
function TenantChip({ tenantId, rows }: { tenantId: string; rows: ApiKeyRow[] | undefined }) {
  const change = useChangeList<List>()
  const name = rows?.find((row) => row.tenant_id === tenantId)?.tenant_name
  const tenant = useTenant(name === undefined ? tenantId : undefined)
  return (
    <FilterChip
      text={name ?? tenant?.name ?? `Tenant ${shortId(tenantId)}`}
      onClear={() => change({ tenant_id: undefined })}
    />
  )
}
