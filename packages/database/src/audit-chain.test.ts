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

async function writeRows(): Promise<void> {
  await Promise.all(
    Array.from({ length: ROWS }, (_, n) =>
      db.transaction().execute((trx) =>
        writeAudit(trx, new Date(1_700_000_000_000 + n), actor, {
          action: 'tenants.update',
          outcome: 'done',
          target: {
            type: 'tenant',
            id: crypto.randomUUID(),
            name: `Ünïcode "${n}"\n`,
            tenant_id: n % 2 === 0 ? null : crypto.randomUUID(),
          },
          changes: { aggressiveness: { before: 5, after: 6.1 }, goal: { before: null, after: 'x' } },
        }),
      ),
    ),
  )
}

beforeEach(async () => {
  await tamper('delete from audit_log')
  await sql`update audit_head set seq = 0, hash = decode(repeat('00', 32), 'hex')`.execute(db)
  await writeRows()
})

test('a chain written by many at once verifies, without a gap', async () => {
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: ROWS, checked: { seq: ROWS } })
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
      "update audit_log as a set reason = 'x', hash = audit_row_hash(row(a.seq, a.at, a.actor_id, a.actor_email, a.action, a.outcome, 'x', a.target_type, a.target_id, a.target_name, a.changes, a.address, a.request_id, a.prev_hash, a.hash, a.target_tenant_id, a.tenant_id)::audit_log) where seq = 7",
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
    expect(await verifyAuditChain(db)).toMatchObject({ state: 'broken' })
  })

  test('a tail cut off together with the head, by an end noted before', async () => {
    const noted = (await verifyAuditChain(db)).checked
    await tamper('delete from audit_log where seq > 15')
    await sql`update audit_head set seq = 15, hash = (select hash from audit_log where seq = 15)`.execute(db)
    expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 15 })
    expect(await verifyAuditChain(db, { noted })).toMatchObject({ state: 'broken' })
  })

  test('a whole log written anew, by an end noted before', async () => {
    const noted = (await verifyAuditChain(db)).checked
    await tamper('delete from audit_log')
    await sql`update audit_head set seq = 0, hash = decode(repeat('00', 32), 'hex')`.execute(db)
    await writeRows()
    expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: ROWS })
    expect(await verifyAuditChain(db, { noted })).toMatchObject({ state: 'broken', broken_row: ROWS })
  })

  test('the first broken row, when it goes on from the one before', async () => {
    await tamper("update audit_log set reason = 'x' where seq in (12, 15)")
    const hash = (await db.selectFrom('audit_log').select('hash').where('seq', '=', 11).executeTakeFirstOrThrow()).hash
    const from = { seq: 11, hash: hash.toString('hex') }
    expect(await verifyAuditChain(db, { from })).toMatchObject({ state: 'broken', broken_row: 12, checked: from })
  })

  test('that another row was given to go on from', async () => {
    const from = { seq: 11, hash: 'ab'.repeat(32) }
    expect(await verifyAuditChain(db, { from })).toMatchObject({ state: 'broken', broken_row: 12 })
  })

  test('1,000 random changes of one row, all of them', async () => {
    const missed: string[] = []
    await sql`alter table audit_log disable trigger user`.execute(db)
    for (let n = 0; n < 1_000; n += 1) {
      const statement = randomHarm()
      const trx = await db.startTransaction().execute()
      await sql.raw(statement).execute(trx)
      if ((await verifyAuditChain(trx)).state !== 'broken') missed.push(statement)
      await trx.rollback().execute()
    }
    await sql`alter table audit_log enable trigger user`.execute(db)
    expect(missed).toEqual([])
  })
})

/** One row edited in one of its columns, removed, copied to the end or moved. */
function randomHarm(): string {
  const pick = <T>(among: readonly T[]): T => among[Math.floor(Math.random() * among.length)] ?? never()
  const row = 1 + Math.floor(Math.random() * ROWS)
  const columns = ['actor_email', 'action', 'reason', 'target_name', 'address', 'request_id']
  return pick([
    `update audit_log set ${pick(columns)} = '${crypto.randomUUID()}' where seq = ${row}`,
    `update audit_log set ${pick(['actor_id', 'target_id', 'target_tenant_id'])} = gen_random_uuid() where seq = ${row}`,
    `update audit_log set ${pick(['hash', 'prev_hash'])} = sha256('${crypto.randomUUID()}') where seq = ${row}`,
    `update audit_log set outcome = 'refused' where seq = ${row}`,
    `update audit_log set at = at + interval '${row} ms' where seq = ${row}`,
    `update audit_log set changes = '{"goal": {"before": null, "after": "${crypto.randomUUID()}"}}' where seq = ${row}`,
    `update audit_log set changes = '{}' where seq = ${row}`,
    `delete from audit_log where seq = ${row}`,
    `delete from audit_log where seq >= ${row}`,
    `update audit_log set seq = ${pick([-row, row + ROWS])} where seq = ${row}`,
  ])
}

function never(): never {
  throw new Error('There is nothing to pick from.')
}
