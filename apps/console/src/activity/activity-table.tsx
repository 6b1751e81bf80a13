import type { AuditRow } from '@switchboard/contract/activity'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { Person } from '#src/ui/person/person.tsx'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import css from './activity-table.module.css'
import { actorText, isAddress } from './actor-labels.ts'
import { OUTCOME_BADGES, sentenceOf } from './activity-labels.ts'
import { RestoreDeletion } from './restore-deletion.tsx'

export const ACTIVITY_COLUMNS: Column<AuditRow>[] = [
  { head: 'What', cell: (row) => <What row={row} />, skeleton: '70%' },
  { head: 'Who', cell: (row) => <Who row={row} />, width: '25%', skeleton: '70%' },
  {
    head: 'Tenant',
    isOfTenant: true,
    cell: (row) => <Tenant row={row} />,
    width: '15%',
    visibleFrom: 'laptop',
    skeleton: '60%',
  },
  {
    head: 'When',
    cell: ({ at }) => <RelativeTime moment={at} />,
    sort: { by: 'at', first: 'descending' },
    skeleton: '90px',
  },
]

/** A row of the log on a phone. */
export function ActivityPhoneRow({ row }: { row: AuditRow }) {
  return (
    <PhoneRow
      name={<SentenceLink row={row} />}
      badge={row.outcome === 'refused' ? <Badge {...OUTCOME_BADGES[row.outcome]} dot /> : <RestoreDeletion row={row} />}
      facts={[<RelativeTime key="time" moment={row.at} />, row.actor_name ?? actorText(row)]}
    />
  )
}

/** The action as a sentence, with a link that opens the row, above the reason of a refusal. */
function What({ row }: { row: AuditRow }) {
  return (
    <div className="line">
      <div className="grow">
        <SentenceLink row={row} />
        {row.outcome === 'refused' && (
          <div className={css.reason} data-tooltip="cut">
            {row.reason ?? 'Refused'}
          </div>
        )}
      </div>
      <RestoreDeletion row={row} />
    </div>
  )
}

function SentenceLink({ row }: { row: AuditRow }) {
  const { text, name } = sentenceOf(row)
  return (
    <Link
      to="."
      search={(before) => ({ ...before, row: String(row.seq) })}
      resetScroll={false}
      className="text-link two-lines ink-2"
      data-tooltip="cut"
    >
      {text}
      {name !== null && (
        <>
          {' '}
          <bdi className="record-name">{name}</bdi>
        </>
      )}
    </Link>
  )
}

/** A person in one line, or the name of a system actor or service token. */
function Who({ row }: { row: AuditRow }) {
  if (row.actor_email === null || !isAddress(row.actor_email)) return <Wrapped>{actorText(row)}</Wrapped>
  return <Person name={row.actor_name} email={row.actor_email} />
}

function Tenant({ row: { tenant_id, tenant_name } }: { row: AuditRow }) {
  if (tenant_id === null) return null
  return (
    <Link
      to="/tenants/$tenantId"
      params={{ tenantId: tenant_id }}
      className="text-link two-lines"
      dir="auto"
      data-tooltip="cut"
    >
      {tenant_name}
    </Link>
  )
}

/** In two lines at most, as high as the row. */
function Wrapped({ children }: { children: ReactNode }) {
  return (
    <div className="two-lines" dir="auto" data-tooltip="cut">
      {children}
    </div>
  )
}
