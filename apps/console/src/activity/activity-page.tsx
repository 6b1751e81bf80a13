import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { LIST_PAGE } from '#src/lists/list-page.ts'
import { ListScreen } from '#src/ui/list/list-screen.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { columnsOfTenant } from '#src/ui/table/column.ts'
import { listText } from '#src/lib/format/count.ts'
import { monthText } from '#src/lib/format/moment.ts'
import type { Filter } from '#src/lists/filters.ts'
import { filtersOf } from '#src/lists/list-params.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { logShippingQuery } from '#src/signals/log-shipping/log-shipping.api.ts'
import { useTenantFilter } from '#src/tenants/tenant-select.tsx'
import {
  ActivityTotal,
  activityFile,
  type ActivityList,
  activityListOf,
  activityPageQuery,
  openRowOf,
  useActivityTotal,
} from './activity.api.ts'
import { ACTION_OPTIONS } from './action-labels.ts'
import {
  OUTCOME_OPTIONS,
  sentenceText,
  targetText,
  TARGET_TYPE_LABELS,
  TARGET_TYPE_OPTIONS,
} from './activity-labels.ts'
import { ACTIVITY_COLUMNS, ActivityPhoneRow } from './activity-table.tsx'
import { useActorFilter } from './use-actor-filter.ts'

const SORTS = [
  { value: '-at', label: 'Newest' },
  { value: 'at', label: 'Oldest' },
] satisfies { value: ActivityList['sort']; label: string }[]

const ChainDialog = lazyPart(() => import('./chain-dialog.tsx').then((code) => code.ChainDialog))
const RecordDialog = lazyPart(() => import('./record-dialog.tsx').then((code) => code.RecordDialog))

/** The audit log, or its rows of one tenant. Filters, page and open row are in the URL. */
export function ActivityPage() {
  const { tenantId } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const list = activityListOf(search)
  const listed = { ...list, tenant_id: tenantId ?? list.tenant_id }
  const openRow = openRowOf(search)
  const activity = useQuery({ ...activityPageQuery(listed), ...LIST_PAGE })
  const deletedUntil = useQuery(logShippingQuery).data?.deleted_until ?? null
  const oldestPage = list.sort === 'at' ? activity.data?.prev : activity.data?.next
  const isPhone = useIsPhone()
  const [isChecking, setIsChecking] = useState(false)
  const rows = activity.data?.rows
  const target = rows?.find(({ target_id }) => target_id === list.target_id)
  const ofTenant = useTenantFilter(list.tenant_id, rows)
  const filters: Filter<keyof ActivityList>[] = [
    useActorFilter(list.actor, rows),
    ...(tenantId === undefined ? [ofTenant] : []),
    {
      kind: 'options',
      name: 'action',
      label: 'Action',
      options: ACTION_OPTIONS,
      // An action implies its kind of record.
      resets: list.target_id === undefined ? ['target_type'] : [],
    },
    list.target_id === undefined
      ? { kind: 'options', name: 'target_type', label: 'Kind', options: TARGET_TYPE_OPTIONS, resets: ['action'] }
      : {
          kind: 'link',
          name: 'target_id',
          label: list.target_type?.map((type) => TARGET_TYPE_LABELS[type]).join(', ') ?? 'Record',
          text: (target && targetText(target)) ?? list.target_id.slice(0, 8),
          resets: ['target_type'],
        },
    { kind: 'options', name: 'outcome', label: 'Outcome', options: OUTCOME_OPTIONS },
    { kind: 'days', label: 'When', from: 'from', to: 'to' },
  ]

  function closeRow() {
    void navigate({ to: '.', search: (before) => ({ ...before, row: undefined }), replace: true, resetScroll: false })
  }

  return (
    <ListScreen
      title="Activity"
      subtitle="Every change, console sign-in and refused action. Tamper-evident."
      noun="row"
      nouns="activity"
      list={list}
      query={activity}
      saved={{ list: 'activity', Total: ActivityTotal }}
      all={useActivityTotal(tenantId, list)}
      action={
        tenantId === undefined &&
        !isPhone && (
          <Button
            variant="default"
            leftSection={<IconShieldCheck size={16} aria-hidden />}
            onPointerEnter={() => void ChainDialog.preload?.()}
            onClick={() => setIsChecking(true)}
          >
            Verify Chain
          </Button>
        )
      }
      phoneActions={
        tenantId === undefined
          ? [
              {
                label: 'Verify Chain',
                Icon: IconShieldCheck,
                capability: 'view',
                onSelect: () => setIsChecking(true),
              },
            ]
          : []
      }
      searchLabel="Search name, email or request ID"
      sorts={SORTS}
      filters={filters}
      empty={{
        searchHelp: 'Search looks at names, emails, reasons, addresses and request IDs. Days are those of UTC.',
        title: 'No activity yet',
        help: 'Changes, sign-ins to the console and refused actions appear here.',
      }}
      below={
        deletedUntil !== null &&
        oldestPage === null && (
          <p className="note">
            Activity up to the end of {monthText(deletedUntil)} (UTC) was deleted here after each log sink had received
            it.
          </p>
        )
      }
      columns={tenantId === undefined ? ACTIVITY_COLUMNS : columnsOfTenant(ACTIVITY_COLUMNS)}
      nameOf={sentenceText}
      renderPhoneRow={(row) => <ActivityPhoneRow row={row} />}
      file={(signal) => activityFile(listed, signal)}
      exported={`${listText(undefined, 'row', filtersOf(list).length > 0)}, with both rows of each rotation${deletedUntil === null ? '' : `, without deleted rows (up to ${monthText(deletedUntil)})`}`}
    >
      {openRow !== undefined && <RecordDialog seq={openRow} onClose={closeRow} />}
      {isChecking && <ChainDialog onClose={() => setIsChecking(false)} />}
    </ListScreen>
  )
}
