import * as z from 'zod/mini'
import { BROKEN_CHAIN_ACTION, FAILED_BACKUP_ACTION } from '#src/activity.ts'
import { backupKind, backupMaker } from '#src/system.ts'
import { logSink } from '#src/signals/log-sinks.ts'
import { became, type EventDescription } from './event-description.ts'

const sink = z.pick(logSink, {
  kind: true,
  name: true,
  address: true,
  certificate_authority: true,
  header_names: true,
  public_key: true,
  is_on: true,
  first_seq: true,
  position: true,
}).shape
const backup = { made_by: backupMaker, file: z.string(), kind: backupKind }

/** Events about the platform itself. */
export const SYSTEM_EVENTS = {
  'list.exported': {
    actions: [
      'tenants.export',
      'users.export',
      'api_keys.export',
      'tasks.export',
      'runs.export',
      'audit.export',
      'reviews.list',
      'portal_sign_ins.list',
      'webhook_deliveries.list',
    ],
    subjects: [null],
    description: 'A whole list was read, as a CSV file or by a program.',
    fields: { rows: z.int() },
    example: { changes: { rows: [null, 312] } },
  },
  'backup.verification_failed': {
    actions: [FAILED_BACKUP_ACTION],
    when: became('kind', 'verification'),
    subjects: [null],
    description:
      'A backup could not be restored into a scratch database, or differs from the database that it was made of.',
    fields: backup,
    example: {
      reason: 'The backup is cut off.',
      changes: {
        kind: [null, 'verification'],
        made_by: [null, 'timer'],
        file: [null, '/var/backups/2026-11-20.backup'],
      },
    },
  },
  'backup.failed': {
    actions: [FAILED_BACKUP_ACTION],
    subjects: [null],
    description: 'A backup failed.',
    fields: backup,
    example: {
      reason: 'The disk is full.',
      changes: { kind: [null, 'backup'], made_by: [null, 'server'], file: [null, '/var/backups/2026-11-20.backup'] },
    },
  },
  'log_sink.created': {
    actions: ['log_sinks.create'],
    subjects: ['log_sink'],
    description: 'A log sink was created: it gets the audit log.',
    fields: sink,
    example: {
      changes: {
        kind: [null, 'syslog'],
        name: [null, 'Vault'],
        address: [null, 'logs.example.com:6514'],
        is_on: [null, true],
      },
    },
  },
  'log_sink.updated': {
    actions: ['log_sinks.update'],
    subjects: ['log_sink'],
    description: 'A log sink was changed, switched on or switched off. The event does not have its secret.',
    fields: sink,
    example: { changes: { is_on: [true, false] } },
  },
  'log_sink.deleted': {
    actions: ['log_sinks.delete'],
    subjects: ['log_sink'],
    description: 'A log sink was deleted: it gets nothing more.',
    fields: sink,
    example: { changes: { kind: ['syslog', null], name: ['Vault', null], address: ['logs.example.com:6514', null] } },
  },
  'audit_log.broken': {
    actions: [BROKEN_CHAIN_ACTION],
    subjects: [null],
    description:
      'The daily check found that the hash chain of the audit log does not hold: somebody may have changed it.',
    example: { reason: 'The chain breaks at row 4711.' },
  },
} as const satisfies Record<string, EventDescription>
