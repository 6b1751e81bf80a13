import {
  BACKUP_LATE_HOURS,
  type BackupMaker,
  type SystemReport,
  type SystemSetting,
} from '@switchboard/contract/system'
import type { Tone } from '#src/ui/badge/badge.tsx'
import { counted, sizeText } from '#src/lib/format/count.ts'

type State = { tone: Tone; text: string }

/** A worker takes a waiting job within seconds. Work that waits longer than this is late. */
const LATE_SECONDS = 120

/** A length of time in its largest unit: "12 seconds", "3 minutes", "2 days". */
export function secondsText(seconds: number): string {
  if (seconds < 60) return counted(Math.floor(seconds), 'second')
  if (seconds < 3_600) return counted(Math.floor(seconds / 60), 'minute')
  if (seconds < 86_400) return counted(Math.floor(seconds / 3_600), 'hour')
  return counted(Math.floor(seconds / 86_400), 'day')
}

/** A size of a file or database: "840 B", "2.1 kB", "12.3 MB". */
export function bytesText(bytes: number): string {
  if (bytes < 1_000_000) return sizeText(bytes)
  return `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`
}

export function databaseState({ is_writable }: SystemReport['database']): State {
  return is_writable ? { tone: 'ok', text: 'Accepts changes' } : { tone: 'bad', text: 'Read-only' }
}

/** The migrations of the database, compared with those of this release. */
export function schemaText({ migrations_done: done, migrations_known: known }: SystemReport['database']): string {
  if (done === known) return counted(done, 'migration')
  return done > known
    ? `${counted(done, 'migration')}, ${done - known} of a newer release`
    : `${counted(done, 'migration')}, ${known - done} pending`
}

/** Whether a worker runs and keeps up with the waiting work. */
export function workerState({ workers, waiting }: Pick<SystemReport, 'workers' | 'waiting'>): State {
  if (!workers.some(({ is_live }) => is_live)) return { tone: 'bad', text: 'Not running' }
  const oldest = Math.max(waiting.oldest_due_task_seconds, waiting.oldest_run_seconds, waiting.oldest_mail_seconds)
  return oldest > LATE_SECONDS ? { tone: 'warn', text: 'Running, late' } : { tone: 'ok', text: 'Running' }
}

/** Waiting work: "None", "2, the oldest for 3 minutes". */
export function waitingText(count: number, oldestSeconds: number): string {
  return count === 0 ? 'None' : `${counted(count, 'job')}, the oldest for ${secondsText(oldestSeconds)}`
}

export function googleState({ key }: SystemReport['google']): State {
  if (key === 'set') return { tone: 'neutral', text: 'Key set' }
  return key === 'sample' ? { tone: 'info', text: 'Sample data' } : { tone: 'warn', text: 'No key' }
}

/** Whether the newest backup is recent, and the last one and its verification succeeded. */
export function backupState({ as_of, backups: { newest, failure } }: Pick<SystemReport, 'as_of' | 'backups'>): State {
  if (failure !== null) return { tone: 'bad', text: failure.kind === 'backup' ? 'Failed' : 'Verification failed' }
  if (newest === null) return { tone: 'warn', text: 'None recorded' }
  const hours = (Date.parse(as_of) - Date.parse(newest.at)) / 3_600_000
  return hours > BACKUP_LATE_HOURS ? { tone: 'warn', text: 'Late' } : { tone: 'ok', text: 'Up to date' }
}

export const MADE_BY = { server: 'by a server', timer: 'by a timer', hand: 'by hand' } satisfies Record<
  BackupMaker,
  string
>

export const MAIL_STATE_LABELS = { queued: 'Waiting', sent: 'Sent', failed: 'Failed' } satisfies Record<
  NonNullable<SystemReport['mail']['newest']>['state'],
  string
>

const SOURCE_LABELS = { environment: 'Environment', file: 'File', default: 'Default' }

/** Where the value of a setting comes from. */
export function sourceText({ name, source }: SystemSetting): string {
  return source === 'file' ? `${SOURCE_LABELS.file} of ${name}_FILE` : SOURCE_LABELS[source]
}

/** The value of a setting; of a secret only whether it is set. */
export function valueText({ value, is_secret, source }: SystemSetting): string {
  if (is_secret) return source === 'default' ? 'Not set' : 'Set'
  return value ?? 'Not set'
}
