import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useHistoryAction } from '#src/ui/table/use-history-action.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { bulkOf } from '#src/lists/list-api.ts'
import { columnsOfDeleted, useRestoreAction } from '#src/ui/list/deleted-records.tsx'
import { withoutPage } from '#src/lists/list-params.ts'
import type { Column } from '#src/ui/table/column.ts'
import { LIST_PAGE } from '#src/lists/list-page.ts'
import { ListScreen } from '#src/ui/list/list-screen.tsx'
import { keyLabel, stateCounts } from './api-key-labels.ts'
import { isFolded, type KeyList as List, keyListOf, keyPageQuery, keyPages, restoreDeletedKey } from './api-keys.api.ts'
import { type KeyView, SAVED_KEY_VIEWS, useKeyCounts, useKeyFilters } from './key-view.tsx'
import { apiKeyBulk } from './bulk-api-keys.api.ts'
import { KeyPhoneRow, shownKeys, keyColumns } from './key-columns.tsx'

const SORTS = [
  { value: 'tenant_name', label: 'Tenant A–Z' },
  { value: '-tenant_name', label: 'Tenant Z–A' },
  { value: 'name', label: 'Name A–Z' },
  { value: '-name', label: 'Name Z–A' },
  { value: '-state', label: 'Worst status' },
  { value: 'state', label: 'Best status' },
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
  const { sentence, viewSwitch, phoneViewActions, fold, actionsOf, onGenerate, onIntent } = view
  const { tenantId } = useParams({ strict: false })
  const list = keyListOf(useSearch({ strict: false }))
  const listed = { ...list, tenant_id: tenantId ?? list.tenant_id }
  const keys = useQuery({ ...keyPageQuery(listed), ...LIST_PAGE })
  const everyKey = useQuery(keyPages.totalQuery({ ...keyListOf({}), tenant_id: tenantId })).data
  const isDeleted = list.deleted !== undefined
  const restoreOf = useRestoreAction<ApiKeyRow>(restoreDeletedKey, ({ name }) => name)
  const historyOf = useHistoryAction('api_key')
  const { all: matching, active } = useKeyCounts(listed)
  const place = tenantId === undefined ? 'all' : 'tenant'
  const columns = keyColumns(fold, place)
  const [ofTenant, ...filters] = useKeyFilters(list, keys.data?.rows)

  return (
    <ListScreen
      title="API Keys"
      subtitle={sentence}
      noun="API key"
      list={list}
      query={keys}
      count={everyKey}
      saved={SAVED_KEY_VIEWS}
      all={everyKey}
      matching={matching}
      counts={matching && keys.data && stateCounts(matching, keys.data.total, active)}
      create={{ label: 'Generate Key', onCreate: () => onGenerate(null) }}
      views={viewSwitch}
      phoneActions={phoneViewActions}
      searchLabel={tenantId === undefined ? 'Search name, secret, tenant, origin' : 'Search name, secret, origin'}
      sorts={tenantId === undefined ? SORTS : SORTS_OF_TENANT}
      filters={tenantId === undefined ? [ofTenant, ...filters] : filters}
      empty={{
        searchHelp: 'Search looks at names, descriptions, both ends of secrets, IDs, tenants and origins.',
        title: 'No API keys yet.',
        help: 'A key connects the assistants of one tenant.',
      }}
      columns={isDeleted ? columnsOfDeletedKeys(columns) : columns}
      rows={keys.data && shownKeys(keys.data.rows, fold)}
      isCompact
      nameOf={keyLabel}
      actionsOf={(key, remove) =>
        key.deleted_at === null ? [...actionsOf(key), remove] : [restoreOf(key), historyOf(key)]
      }
      renderDeletion={(key, on) => <DeleteKeyDialog apiKey={key} {...on} />}
      renderPhoneRow={(key) => <KeyPhoneRow apiKey={key} fold={fold} place={place} />}
      bulk={bulkOf(apiKeyBulk({ ...withoutPage(listed), fold: isFolded(list) ? 'true' : undefined }), isDeleted)}
      file={(signal) => keyPages.file(listed, signal)}
      onIntent={onIntent}
    />
  )
}

/** Without the calls: those of a deleted key are not counted. */
function columnsOfDeletedKeys(columns: readonly Column<ApiKeyRow>[]) {
  return columnsOfDeleted(
    columns.filter(({ head }) => head !== 'Calls, 7 days'),
    'Expires',
  )
}
