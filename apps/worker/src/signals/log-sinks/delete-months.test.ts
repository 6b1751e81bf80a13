import type { DeletedMonth } from '@switchboard/database/audit/deleted-months'
import { deletedMonths } from '@switchboard/database/audit/deleted-months.queries'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { dueMonth } from '@switchboard/database/audit/retention.queries'
import { writeAudits } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { makeLogSink } from '@switchboard/testing/log-sink-factory'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { deleteOldestMonth } from './delete-months.service.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)
const actor = { id: null, email: 'ada@example.com', address: '::1', request_id: null }
/** Months that rows stay in the log. */
const MONTHS = 1

async function write(at: Date, entries: number): Promise<void> {
  const entry = { action: 'tenants.update', changes: { goal: { before: null, after: 'two\nlines' } } }
  await db.transaction().execute((trx) =>
    writeAudits(
      trx,
      at,
      actor,
      Array.from({ length: entries }, () => entry),
    ),
  )
  await sealAudit(db)
}

/** Runs statements as a malicious owner of the database. */
async function tamper(statement: string): Promise<void> {
  for (const table of ['audit_log', 'audit_deleted_months'])
    await sql`alter table ${sql.id(table)} disable trigger user`.execute(db)
  await sql.raw(statement).execute(db)
  for (const table of ['audit_log', 'audit_deleted_months'])
    await sql`alter table ${sql.id(table)} enable trigger user`.execute(db)
}

const rowsInLog = async () =>
  (await db.selectFrom('audit_log').select('seq').orderBy('seq').execute()).map(({ seq }) => seq)

/** A sink that has the rows up to `position`. */
const sinkAt = (position: number, fields: Partial<Parameters<typeof makeLogSink>[1]> = {}) =>
  makeLogSink(db, { kind: 'syslog', name: `at ${position}`, address: 'logs.example.com:6514', position, ...fields })

async function deleteAll(): Promise<DeletedMonth[]> {
  while ((await deleteOldestMonth(db, MONTHS)) !== null) continue
  return await deletedMonths(db)
}

/** January, three rows, and March, two rows. */
async function deleteBoth(): Promise<[january: DeletedMonth, march: DeletedMonth]> {
  await sinkAt(9)
  const [january, march] = await deleteAll()
  if (january === undefined || march === undefined) throw new Error('Both months are due.')
  return [january, march]
}

/** Rows 1 to 3 of January, 4 and 5 of March, 6 and 7 of the previous month, 8 and 9 of now. */
beforeEach(async () => {
  await db.deleteFrom('log_sinks').execute()
  await tamper(
    "delete from audit_log; delete from audit_deleted_months; update audit_head set seq = 0, hash = decode(repeat('00', 32), 'hex')",
  )
  const now = new Date()
  await write(new Date('2025-01-05T10:00:00Z'), 2)
  await write(new Date('2025-01-31T23:59:59.999Z'), 1)
  await write(new Date('2025-03-01T00:00:00Z'), 2)
  await write(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)), 2)
  await write(now, 2)
})

test('months older than the retention are deleted, later ones stay, and the chain holds', async () => {
  const [january, march] = await deleteBoth()
  expect([january, march]).toMatchObject([
    { month: '2025-01', first_seq: 1, last_seq: 3 },
    { month: '2025-03', first_seq: 4, last_seq: 5 },
  ])
  expect(await rowsInLog()).toEqual([6, 7, 8, 9])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 9, deleted: [january, march] })
  await write(new Date(), 1)
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 10 })
})

test('a log whose rows are all deleted holds and goes on', async () => {
  await tamper(
    'delete from audit_log where seq > 5; update audit_head set (seq, hash) = (select seq, hash from audit_log where seq = 5)',
  )
  await sinkAt(5)
  await deleteAll()
  expect(await rowsInLog()).toEqual([])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 5 })
  await write(new Date(), 1)
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 6 })
})

test.for<[string, Partial<Parameters<typeof makeLogSink>[1]> & { position: number }, number[], string | null]>([
  ['has both months', { position: 5 }, [1, 4], null],
  ['does not have March', { position: 4 }, [1], 'The log sink "one" does not have 2025-03 yet.'],
  ['has nothing', { position: 0 }, [], 'The log sink "one" does not have 2025-01 yet.'],
  ['is off', { position: 4, is_on: false }, [1], 'The log sink "one" does not have 2025-03 yet, because it is off.'],
  [
    'fails',
    { position: 0, problem: 'Nothing answers at this address.', failing_since: new Date() },
    [],
    'The log sink "one" does not have 2025-01 yet, because it fails: Nothing answers at this address.',
  ],
])('only what every sink has is deleted: one that %s', async ([, { position, ...fields }, firstRows, problem]) => {
  await sinkAt(9)
  await sinkAt(position, { name: 'one', ...fields })
  expect((await deleteAll()).map(({ first_seq }) => first_seq)).toEqual(firstRows)
  expect((await dueMonth(db, MONTHS))?.problem ?? null).toBe(problem)
})

test('without a sink that is on and has the whole month nothing is deleted', async () => {
  const problem = 'No log sink that is on has 2025-01 from its first row on.'
  expect([await deleteAll(), await dueMonth(db, MONTHS)]).toEqual([[], { month: '2025-01', problem }])
  await sinkAt(9, { is_on: false })
  await sinkAt(8, { first_seq: 3 })
  expect([await deleteAll(), await dueMonth(db, MONTHS)]).toEqual([[], { month: '2025-01', problem }])
  await sinkAt(9, { name: 'whole' })
  expect(await deleteAll()).toHaveLength(2)
})

test('several workers at once delete each month once', async () => {
  await sinkAt(9)
  await Promise.all([deleteAll(), deleteAll(), deleteAll()])
  expect((await deleteAll()).map(({ month }) => month)).toEqual(['2025-01', '2025-03'])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 9 })
})

test('rows of a broken chain are not deleted', async () => {
  await sinkAt(9)
  await tamper("update audit_log set reason = 'x' where seq = 2")
  await expect(deleteOldestMonth(db, MONTHS)).rejects.toThrow('breaks at row 2')
  expect(await deletedMonths(db)).toEqual([])
})

test('only rows of a deleted month can be deleted, and its record cannot be changed', async () => {
  await deleteBoth()
  for (const statement of ['delete from audit_log where seq = 6', 'update audit_deleted_months set last_seq = 6'])
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only')
})

const DELETION = 'insert into audit_deleted_months (month, first_seq, last_seq, hash_before, hash_after)'
test.for([
  ['the oldest rows deleted without a record', 'delete from audit_log where seq = 6'],
  [
    'a forged deletion',
    `delete from audit_log where seq = 6; ${DELETION} select '2025-04', 6, 6, hash_after, sha256('x')
      from audit_deleted_months where month = '2025-03'`,
  ],
  ['an edited hash', "update audit_deleted_months set hash_after = sha256('x') where month = '2025-03'"],
  ['an edited hash between months', "update audit_deleted_months set hash_after = sha256('x') where month = '2025-01'"],
  ['a removed record', "delete from audit_deleted_months where month = '2025-01'"],
  ['a removed last record', "delete from audit_deleted_months where month = '2025-03'"],
  ['a longer month', "update audit_deleted_months set last_seq = 6 where month = '2025-03'"],
  ['an earlier month', "update audit_deleted_months set month = '2024-12' where month = '2025-03'"],
  [
    'a row added below the deleted ones',
    'insert into audit_log select 5, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, tenant_id, changes, address, request_id, prev_hash, hash from audit_log where seq = 6',
  ],
] as const)('the check of the chain finds %s', async ([, statement]) => {
  await deleteBoth()
  await tamper(statement)
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'broken' })
})

test('an end noted before the deletion is compared at the end of a month', async () => {
  const [january] = await deleteBoth()
  const noted = { seq: january.last_seq, hash: january.hash_after }
  expect(await verifyAuditChain(db, { noted })).toMatchObject({ state: 'holds' })
  expect(await verifyAuditChain(db, { noted: { ...noted, hash: january.hash_before } })).toMatchObject({
    state: 'broken',
    broken_row: 3,
  })
})

test('a check that began before the deletion continues after it', async () => {
  const hash = (await db.selectFrom('audit_log').select('hash').where('seq', '=', 2).executeTakeFirstOrThrow()).hash
  await deleteBoth()
  const from = { seq: 2, hash: hash.toString('hex') }
  expect(await verifyAuditChain(db, { from })).toMatchObject({ state: 'holds', checked: { seq: 9 } })
})
