import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { verifyAuditChain } from './audit-chain.ts'
import { writeAudit } from './audit.queries.ts'
import { createTestDatabase } from './test-database.ts'

const database = await createTestDatabase(inject('postgresUrl'))
const { db } = database
afterAll(() => database.drop())
const ROWS = 20
const actor = { id: null, email: 'ada@example.com', address: '::1', request_id: null }

/** As somebody would who owns the database and means harm: past the trigger that refuses. */
async function tamper(statement: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`alter table audit_log disable trigger user`.execute(trx)
    await sql.raw(statement).execute(trx)
    await sql`alter table audit_log enable trigger user`.execute(trx)
  })
}

beforeEach(async () => {
  await tamper('delete from audit_log')
  await sql`update audit_head set seq = 0, hash = decode(repeat('00', 32), 'hex')`.execute(db)
  await Promise.all(
    Array.from({ length: ROWS }, (_, n) =>
      db.transaction().execute((trx) =>
        writeAudit(trx, new Date(1_700_000_000_000 + n), actor, {
          action: 'tenants.update',
          outcome: 'done',
          target: { type: 'tenant', id: crypto.randomUUID(), name: `Ünïcode "${n}"\n` },
          changes: { aggressiveness: { before: 5, after: 6.1 }, goal: { before: null, after: 'x' } },
        }),
      ),
    ),
  )
})

test('a chain written by many at once verifies, without a gap', async () => {
  expect(await verifyAuditChain(db)).toMatchObject({ ok: true, rows: ROWS, head: { seq: ROWS } })
})

test('rows cannot be updated, deleted or truncated', async () => {
  for (const statement of ["update audit_log set actor_email = 'x'", 'delete from audit_log', 'truncate audit_log']) {
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('audit_log is append-only')
  }
})

describe('the verifier finds', () => {
  const harm: [string, string][] = [
    ['an edited value', "update audit_log set actor_email = 'eve@example.com' where seq = 7"],
    ['an edited change', `update audit_log set changes = '{"goal": {"before": 1, "after": 2}}' where seq = 7`],
    ['a moved time', "update audit_log set at = at + interval '1 ms' where seq = 7"],
    [
      'an edited row with its own hash made anew',
      "update audit_log as a set reason = 'x', hash = audit_row_hash(row(a.seq, a.at, a.actor_id, a.actor_email, a.action, a.outcome, 'x', a.target_type, a.target_id, a.target_name, a.changes, a.address, a.request_id, a.prev_hash, a.hash)::audit_log) where seq = 7",
    ],
    ['a removed row', 'delete from audit_log where seq = 7'],
    ['a removed first row', 'delete from audit_log where seq = 1'],
    ['a cut-off tail', 'delete from audit_log where seq > 15'],
    [
      'two rows changed over',
      'update audit_log set seq = case seq when 7 then -8 when 8 then -7 end where seq in (7, 8); update audit_log set seq = -seq where seq < 0',
    ],
    [
      'an inserted row',
      'insert into audit_log select 21, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, changes, address, request_id, prev_hash, hash from audit_log where seq = 20',
    ],
  ]
  test.for(harm)('%s', async ([, statement]) => {
    await tamper(statement)
    expect(await verifyAuditChain(db)).toMatchObject({ ok: false })
  })

  test('a tail cut off together with the head, by an anchor noted before', async () => {
    const before = await verifyAuditChain(db)
    if (!before.ok) throw new Error('the chain must hold first')
    await tamper('delete from audit_log where seq > 15')
    await sql`update audit_head set seq = 15, hash = (select hash from audit_log where seq = 15)`.execute(db)
    expect(await verifyAuditChain(db)).toMatchObject({ ok: true })
    expect(await verifyAuditChain(db, before.head)).toMatchObject({ ok: false })
  })
})
