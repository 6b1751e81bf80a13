import type { LogSink } from '@switchboard/contract/signals/log-sinks'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { KIND_LABELS, lagText, positionText, stateBadge } from './log-sink-labels.ts'
import css from './log-sinks-table.module.css'

export const LOG_SINK_COLUMNS: Column<LogSink>[] = [
  { head: 'Log sink', cell: (sink) => <Name sink={sink} />, skeleton: '60%' },
  { head: 'Kind', cell: ({ kind }) => KIND_LABELS[kind], visibleFrom: 'laptop', skeleton: '96px' },
  { head: 'Position', cell: (sink) => <Position sink={sink} />, width: '28%', skeleton: '60%' },
  { head: 'Last sent', cell: (sink) => <LastSent sink={sink} />, visibleFrom: 'medium', skeleton: '72px' },
  { head: 'State', cell: (sink) => <Badge {...stateBadge(sink)} dot />, skeleton: '64px' },
]

/** A log sink on a phone. */
export function LogSinkPhoneRow({ sink }: { sink: LogSink }) {
  return (
    <PhoneRow
      name={<bdi>{sink.name}</bdi>}
      badge={<Badge {...stateBadge(sink)} dot />}
      facts={[positionText(sink), lagText(sink)]}
    />
  )
}

/** The name above the address. */
function Name({ sink: { name, address, kind } }: { sink: LogSink }) {
  return (
    <>
      <div className={css.name} dir="auto" data-tooltip="cut">
        {name}
      </div>
      <div className={css.small} data-tooltip="cut">
        {kind === 'file' ? 'The folder AUDIT_FILES of a worker' : address}
      </div>
    </>
  )
}

/** The position above what is missing. */
function Position({ sink }: { sink: LogSink }) {
  return (
    <>
      <div>{positionText(sink)}</div>
      <div className={css.small} data-tooltip="cut">
        {lagText(sink)}
      </div>
    </>
  )
}

function LastSent({ sink: { last_sent_at } }: { sink: LogSink }) {
  return last_sent_at === null ? 'Never' : <RelativeTime moment={last_sent_at} />
}
