import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { EmptyList } from '#src/ui/list/empty-list.tsx'
import { ListActions } from '#src/ui/list/list-actions.tsx'
import { ListContent } from '#src/ui/list/list-content.tsx'
import { ExportDialog } from '#src/ui/list/lazy-parts.ts'
import { Page } from '#src/ui/page/page.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { listText, totalText } from '#src/lib/format/count.ts'
import { monthText } from '#src/lib/format/moment.ts'
import { filtersOf } from '#src/lists/list-params.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { activityFile, activityListOf, activityPageQuery, archivedMonthQuery, openRowOf } from './activity.api.ts'
import { ArchiveNote } from './archive-note.tsx'
import { ActivityTable } from './activity-table.tsx'
import { ActivityTools } from './activity-tools.tsx'

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
  const activity = useQuery({ ...activityPageQuery(listed), placeholderData: keepPreviousData })
  const archivedMonth = useQuery(archivedMonthQuery).data ?? null
  const oldestPage = list.sort === 'at' ? activity.data?.prev : activity.data?.next
  const total = activity.data && `${totalText(activity.data.total)} rows of activity`
  const isPhone = useIsPhone()
  const [open, setOpen] = useState<'none' | 'chain' | 'export'>('none')
  const close = () => setOpen('none')

  function closeRow() {
    void navigate({ to: '.', search: (before) => ({ ...before, row: undefined }), replace: true, resetScroll: false })
  }

  return (
    <Page
      title="Activity"
      subtitle={
        isPhone || tenantId !== undefined ? total : 'Every change, console sign-in and refused action. Tamper-evident.'
      }
      isList
      action={
        <ListActions title="Activity" noun="activity" query={activity} onExport={() => setOpen('export')}>
          {tenantId === undefined && (
            <Button
              variant="default"
              leftSection={<IconShieldCheck size={16} aria-hidden />}
              onPointerEnter={() => void ChainDialog.preload?.()}
              onClick={() => setOpen('chain')}
            >
              Verify chain
            </Button>
          )}
        </ListActions>
      }
    >
      <ActivityTools
        list={list}
        isOfTenant={tenantId !== undefined}
        rows={activity.data?.rows}
        onExport={() => setOpen('export')}
      />
      <ListContent
        query={activity}
        search={list.q}
        noun="activity"
        total={total}
        below={archivedMonth !== null && oldestPage === null && <ArchiveNote month={archivedMonth} />}
        empty={
          <EmptyList
            list={list}
            noun="rows"
            searchHelp="Search looks at names, emails, reasons, addresses and request IDs. Days are those of UTC."
            title="No activity yet"
            help="Changes, sign-ins to the console and refused actions appear here."
          />
        }
      >
        <ActivityTable
          page={activity.data}
          list={list}
          isOfTenant={tenantId !== undefined}
          busy={activity.isPlaceholderData}
          onIntent={() => void RecordDialog.preload?.()}
        />
      </ListContent>
      <Suspense>
        {openRow !== undefined && <RecordDialog seq={openRow} onClose={closeRow} />}
        {open === 'chain' && <ChainDialog onClose={close} />}
        {open === 'export' && (
          <ExportDialog
            title="Export Activity"
            content={`${listText(undefined, 'row', filtersOf(list).length > 0)}, with both rows of each rotation${archivedMonth === null ? '' : `, without archived rows (up to ${monthText(archivedMonth)})`}`}
            start={(signal) => activityFile(listed, signal)}
            onClose={close}
          />
        )}
      </Suspense>
    </Page>
  )
}
