import type { LogSink, LogSinkKind } from '@switchboard/contract/signals/log-sinks'
import { counted, countText } from '#src/lib/format/count.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { secondsText } from '#src/system/system-labels.ts'
import type { Tone } from '#src/ui/badge/badge.tsx'

export const KIND_LABELS = {
  otlp: 'OpenTelemetry',
  syslog: 'Syslog over TLS',
  file: 'Signed daily files',
} satisfies Record<LogSinkKind, string>

/** An entry that has waited longer than this, in seconds, is late. */
const LATE_SECONDS = 60

/** The state of a log sink. */
export function stateBadge({ is_on, problem, seconds_behind }: Pick<LogSink, 'is_on' | 'problem' | 'seconds_behind'>): {
  tone: Tone
  text: string
} {
  if (!is_on) return { tone: 'neutral', text: 'Off' }
  if (problem !== null) return { tone: 'bad', text: 'Failing' }
  return seconds_behind > LATE_SECONDS ? { tone: 'warn', text: 'Late' } : { tone: 'ok', text: 'On' }
}

/** The position: "Entry 4,711", or "Nothing yet". */
export function positionText({ position, first_seq }: Pick<LogSink, 'position' | 'first_seq'>): string {
  return position < first_seq ? 'Nothing yet' : `Entry ${countText(position)}`
}

/** What is missing: "Up to date", "3 minutes behind (12 entries)", or of files "12 entries of today wait". */
export function lagText({
  kind,
  entries_behind,
  seconds_behind,
}: Pick<LogSink, 'kind' | 'entries_behind' | 'seconds_behind'>): string {
  if (entries_behind === 0) return 'Up to date'
  const entries = counted(entries_behind, 'entry', 'entries')
  if (kind === 'file' && seconds_behind === 0) return `${entries} of today ${entries_behind === 1 ? 'waits' : 'wait'}`
  return seconds_behind === 0 ? `${entries} behind` : `${secondsText(seconds_behind)} behind (${entries})`
}

/** Why a sink that is on does not get the log: the last problem, or that no worker sends. Null for one that gets it. */
export function problemText(
  {
    kind,
    is_on,
    problem,
    seconds_behind,
    last_sent_at,
  }: Pick<LogSink, 'kind' | 'is_on' | 'problem' | 'seconds_behind' | 'last_sent_at'>,
  now = serverNow(),
): string | null {
  if (!is_on || problem !== null) return is_on ? problem : null
  const isSending = last_sent_at !== null && now - Date.parse(last_sent_at) <= LATE_SECONDS * 1_000
  if (seconds_behind <= LATE_SECONDS || isSending) return null
  return kind === 'file' ? 'No worker with AUDIT_FILES writes them.' : 'No worker sends to it.'
}

/** The headers of lines such as "Authorization: Bearer 1f0c". Null if a line is not a header. */
export function typedHeaders(typed: string): { name: string; value: string }[] | null {
  const lines = typed.split('\n').filter((line) => line.trim() !== '')
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(':')
    return { name: name.trim(), value: value.join(':').trim() }
  })
  return headers.every(({ name, value }) => /^[A-Za-z0-9-]+$/.test(name) && value !== '') ? headers : null
}
