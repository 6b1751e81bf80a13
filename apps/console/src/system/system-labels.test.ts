import { describe, expect, test } from 'vitest'
import { backupState, schemaText, secondsText, valueText, waitingText, workerState } from './system-labels.ts'

test.each([
  [0, '0 seconds'],
  [59.9, '59 seconds'],
  [60, '1 minute'],
  [7_300, '2 hours'],
  [200_000, '2 days'],
])('%f seconds are "%s"', (seconds, text) => {
  expect(secondsText(seconds)).toBe(text)
})

describe('a worker', () => {
  const seen = { host: 'a', pid: 1, started_at: '', seen_at: '', last_job_at: null }
  const idle = { oldest_due_task_seconds: 0, runs: 0, oldest_run_seconds: 0, mails: 0, oldest_mail_seconds: 0 }
  test.each([
    ['no worker', [], idle, 'Not running'],
    ['a lost worker', [{ ...seen, is_live: false }], idle, 'Not running'],
    ['a worker', [{ ...seen, is_live: true }], idle, 'Running'],
    ['old work', [{ ...seen, is_live: true }], { ...idle, oldest_due_task_seconds: 600 }, 'Running, late'],
  ])('with %s: %s', (_, workers, waiting, text) => {
    expect(workerState({ workers, waiting }).text).toBe(text)
  })
})

test.each([
  [43, 43, '43 migrations'],
  [44, 43, '44 migrations, 1 of a newer release'],
  [41, 43, '41 migrations, 2 pending'],
])('%i migrations of %i known ones are "%s"', (migrations_done, migrations_known, text) => {
  const database = { version: '', latency_ms: 1, is_writable: true, connections_used: 1, connections_max: 1, bytes: 1 }
  expect(schemaText({ ...database, migrations_done, migrations_known })).toBe(text)
})

test.each([
  ['none', null, null, 'None recorded'],
  ['one of last night', '2026-11-20T03:00:00.000Z', null, 'Up to date'],
  ['one of the night before', '2026-11-19T03:00:00.000Z', null, 'Late'],
  ['a failed one', '2026-11-20T03:00:00.000Z', 'backup', 'Failed'],
  ['a failed verification', '2026-11-20T03:00:00.000Z', 'verification', 'Verification failed'],
] as const)('of the backups, %s: %s, %s is "%s"', (_, at, kind, text) => {
  const newest = at === null ? null : ({ at, made_by: 'server', file: null, bytes: 1, audit_seq: 1 } as const)
  const failure = kind === null ? null : { kind, at: '2026-11-20T04:00:00.000Z', problem: 'The disk is full.' }
  const backups = { is_made_by_server: true, is_signed: true, newest, verified_at: null, failure, running_since: null }
  expect(backupState({ as_of: '2026-11-20T12:00:00.000Z', backups }).text).toBe(text)
})

test('waiting work has the age of its oldest job', () => {
  expect([waitingText(0, 0), waitingText(1, 90)]).toEqual(['None', '1 job, the oldest for 1 minute'])
})

test.each([
  [{ value: null, is_secret: true, source: 'file' }, 'Set'],
  [{ value: null, is_secret: true, source: 'default' }, 'Not set'],
  [{ value: '3000', is_secret: false, source: 'default' }, '3000'],
  [{ value: null, is_secret: false, source: 'default' }, 'Not set'],
] as const)('%o is shown as %s', (setting, text) => {
  expect(valueText({ name: 'SMTP_URL', ...setting })).toBe(text)
})
