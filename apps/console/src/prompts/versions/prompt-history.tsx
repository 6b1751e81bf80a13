import type { PromptTemplate, PromptVersion } from '@switchboard/contract/prompts'
import { IconGitCompare, IconRestore } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/data-table.tsx'
import type { Action } from '#src/ui/table/action.ts'
import { Section } from '#src/ui/card/section.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { Pager } from '#src/ui/list/pager.tsx'
import { useAllowed } from '#src/lib/can.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { relativeText } from '#src/lib/format/moment.ts'
import css from './prompt-history.module.css'
import { comparisonLink, historyOf, historyQuery } from '#src/prompts/prompts.api.ts'
import { sizeText } from '#src/lib/format/count.ts'

const RestoreDialog = lazyPart(() => import('./restore-dialog.tsx').then((code) => code.RestoreDialog))

const columnsOf = (tenantId: string | undefined): Column<PromptVersion>[] => [
  {
    head: 'Version',
    cell: (version) => <Version version={version} tenantId={tenantId} />,
    skeleton: '40%',
  },
  { head: 'Saved', cell: ({ created_at }) => <RelativeTime moment={created_at} /> },
  {
    head: 'Author',
    cell: (version) => (
      <div className="cut" data-tooltip="cut">
        {authorOf(version)}
      </div>
    ),
    width: '30%',
    visibleFrom: 'medium',
  },
  {
    head: 'Note',
    cell: ({ note }) => (
      <div className="cut" data-tooltip="cut" dir="auto">
        {note}
      </div>
    ),
    width: '30%',
    visibleFrom: 'laptop',
  },
  { head: 'Size', align: 'end', cell: ({ size }) => sizeText(size), visibleFrom: 'wide' },
]

/**
 * Every saved version of the base template, or of the addendum of a tenant: show its changes, compare with the live
 * version, restore.
 */
export function PromptHistory({ live, tenantId }: { live: PromptTemplate; tenantId?: string }) {
  const list = historyOf(useSearch({ strict: false }))
  const navigate = useNavigate()
  const history = useQuery({ ...historyQuery(list, tenantId), placeholderData: keepPreviousData })
  const allowed = useAllowed()
  const [restored, setRestored] = useState<number | null>(null)
  const columns = useMemo(() => columnsOf(tenantId), [tenantId])
  const compare = (version: number) => comparisonLink(tenantId, { from: String(version), to: String(live.version) })
  const actionsOf = ({ version }: PromptVersion): Action[] =>
    version === live.version
      ? []
      : [
          {
            label: 'Compare with the Live Version',
            Icon: IconGitCompare,
            capability: 'view',
            onSelect: () => void navigate(compare(version)),
          },
          { label: 'Restore', Icon: IconRestore, capability: 'publish', onSelect: () => setRestored(version) },
        ]

  return (
    <div className={css.history}>
      <Section
        title="History"
        action={
          <Link
            to="/settings/activity"
            search={
              tenantId === undefined ? { target_type: 'prompt' } : { target_type: 'addendum', tenant_id: tenantId }
            }
            className="text-link target accent"
          >
            View publishing activity
          </Link>
        }
      >
        {history.isLoadingError ? (
          <LoadError title="The history could not be loaded" queries={[history]} />
        ) : (
          <DataTable
            label="Versions"
            columns={columns}
            rows={history.data?.rows}
            rowId={({ id }) => id}
            busy={history.isPlaceholderData}
            renderPhoneRow={(version) => (
              <>
                <Version version={version} tenantId={tenantId} />
                <div className="second-line cut">
                  {relativeText(version.created_at)} · {authorOf(version)}
                </div>
              </>
            )}
            nameOf={({ version }) => `version ${version}`}
            actionsOf={(version) => allowed(actionsOf(version))}
            onIntent={() => void RestoreDialog.preload?.()}
            footer={<Pager page={history.data} limit={list.limit} noun="version" />}
          />
        )}
        <Suspense>
          {restored !== null && (
            <RestoreDialog version={restored} live={live} tenantId={tenantId} onClose={() => setRestored(null)} />
          )}
        </Suspense>
      </Section>
    </div>
  )
}

type VersionProps = { version: PromptVersion; tenantId: string | undefined }

/** The number links to the changes of the version. */
function Version({ version: { version, size, restored_from }, tenantId }: VersionProps) {
  const changes = { from: String(Math.max(1, version - 1)), to: String(version) }
  return (
    <span className="line">
      <Link
        {...comparisonLink(tenantId, changes)}
        className="text-link target record-name"
        aria-label={`Changes in version ${version}`}
      >
        Version {version}
      </Link>
      {size === 0 && <Badge tone="neutral" text="removed" />}
      {restored_from !== null && <Badge tone="neutral" text={`restored from v${restored_from}`} />}
    </span>
  )
}

function authorOf({ author_email }: PromptVersion): string {
  return author_email ?? 'Switchboard'
}
