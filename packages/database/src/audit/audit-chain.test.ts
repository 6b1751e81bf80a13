import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { verifyAuditChain } from './audit-chain.ts'
import { writeAudit } from './audit.queries.ts'
import { sealAudit } from './seal-audit.ts'
import { type Chance, chanceOf } from '@switchboard/demo-world/chance'
import { createTestDatabase } from '@switchboard/testing/test-database'

const database = await createTestDatabase(inject('postgresUrl'))
const { db } = database
afterAll(() => database.drop())
const ROWS = 20
const actor = { id: null, email: 'ada@example.com', address: '::1', request_id: null }

/** A malicious owner of the database disables the trigger against changes. */
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
  await sealAudit(db)
})

test('a chain of concurrent writers verifies without gaps', async () => {
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: ROWS, checked: { seq: ROWS } })
})

test('a row with all kinds of characters and numbers verifies', async () => {
  const text = `${String.fromCodePoint(...Array.from({ length: 0x2100 }, (_, n) => n + 1))} \u{1f600} \ufeff`
  const numbers = [0, -0.5, 1e21, 1e-7, 123_456_789_012, 6.1]
  const target = { type: 'tenant', id: crypto.randomUUID(), name: text, tenant_id: null } as const
  await db.transaction().execute((trx) =>
    writeAudit(trx, new Date(999), actor, {
      action: 'tenants.update',
      outcome: 'refused',
      reason: text,
      target,
      changes: { [text]: { before: numbers, after: { b: text, aa: [true, null, ''] } } },
    }),
  )
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: ROWS, unsealed: { entries: 1 } })
  await sealAudit(db)
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: ROWS + 1, unsealed: { entries: 0 } })
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
      'an edited row with a recomputed hash',
      `update audit_log set reason = 'x', hash = sha256(prev_hash || convert_to(jsonb_build_array(
        seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), actor_id, actor_email, action, outcome, 'x',
        target_type, target_id, target_name, tenant_id, changes, address, request_id
      )::text, 'UTF8')) where seq = 7`,
    ],
    ['a removed row', 'delete from audit_log where seq = 7'],
    ['a removed first row', 'delete from audit_log where seq = 1'],
    ['a cut-off tail', 'delete from audit_log where seq > 15'],
    [
      'two swapped rows',
      'update audit_log set seq = case seq when 7 then -8 when 8 then -7 end where seq in (7, 8); update audit_log set seq = -seq where seq < 0',
    ],
    [
      'an inserted row',
      'insert into audit_log select 21, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, tenant_id, changes, address, request_id, prev_hash, hash from audit_log where seq = 20',
    ],
  ]
  test.for(harm)('%s', async ([, statement]) => {
    await tamper(statement)
    expect(await verifyAuditChain(db)).toMatchObject({ state: 'broken' })
  })

  test('a tail cut off together with the head, given an end noted earlier', async () => {
    const noted = (await verifyAuditChain(db)).checked
    await tamper('delete from audit_log where seq > 15')
    await sql`update audit_head set seq = 15, hash = (select hash from audit_log where seq = 15)`.execute(db)
    expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 15 })
    expect(await verifyAuditChain(db, { noted })).toMatchObject({ state: 'broken' })
  })

  test('a completely rewritten log, by a noted checkpoint', async () => {
    const noted = (await verifyAuditChain(db)).checked
    await tamper('delete from audit_log')
    await sql`update audit_head set seq = 0, hash = decode(repeat('00', 32), 'hex')`.execute(db)
    await writeRows()
    await sealAudit(db)
    expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: ROWS })
    expect(await verifyAuditChain(db, { noted })).toMatchObject({ state: 'broken', broken_row: ROWS })
  })

  test('the first broken row, when the check continues from the row before', async () => {
    await tamper("update audit_log set reason = 'x' where seq in (12, 15)")
    const hash = (await db.selectFrom('audit_log').select('hash').where('seq', '=', 11).executeTakeFirstOrThrow()).hash
    const from = { seq: 11, hash: hash.toString('hex') }
    expect(await verifyAuditChain(db, { from })).toMatchObject({ state: 'broken', broken_row: 12, checked: from })
  })

  test('a wrong row as the start of a check', async () => {
    const from = { seq: 11, hash: 'ab'.repeat(32) }
    expect(await verifyAuditChain(db, { from })).toMatchObject({ state: 'broken', broken_row: 12 })
  })

  test('an edited row in spite of functions and operators of the same names earlier on the search path', async () => {
    const trx = await db.startTransaction().execute()
    for (const statement of SHADOWS) await sql.raw(statement).execute(trx)
    await sql`alter table audit_log disable trigger user`.execute(trx)
    await sql`update audit_log set at = at + interval '1 hour', changes = '{"goal": {}}' where seq = 3`.execute(trx)
    await sql`set local search_path = forged, public, pg_catalog`.execute(trx)
    const found = await verifyAuditChain(trx)
    await trx.rollback().execute()
    expect(found).toMatchObject({ state: 'broken', broken_row: 3 })
  })

  test('a view in the place of the log', async () => {
    const trx = await db.startTransaction().execute()
    await sql`alter table audit_log rename to real_log`.execute(trx)
    await sql`create view audit_log as select * from real_log`.execute(trx)
    const found = await verifyAuditChain(trx)
    await trx.rollback().execute()
    expect(found).toMatchObject({ state: 'broken', problem: 'The log is not an ordinary table.' })
  })

  test('a row moved to the history of another tenant', async () => {
    const trx = await db.startTransaction().execute()
    await sql`alter table audit_log disable trigger user`.execute(trx)
    await sql`update audit_log set tenant_id = gen_random_uuid() where seq = 5`.execute(trx)
    const found = await verifyAuditChain(trx)
    await trx.rollback().execute()
    expect(found).toMatchObject({ state: 'broken', broken_row: 5 })
  })

  test('1,000 random changes, all of them', async () => {
    const noted = (await verifyAuditChain(db)).checked
    const missed: string[] = []
    await sql`alter table audit_log disable trigger user`.execute(db)
    for (let n = 0; n < 1_000; n += 1) {
      const statement = randomHarm(chanceOf('harm', n))
      const trx = await db.startTransaction().execute()
      await sql.raw(statement).execute(trx)
      if ((await verifyAuditChain(trx, { noted })).state !== 'broken') missed.push(statement)
      await trx.rollback().execute()
    }
    await sql`alter table audit_log enable trigger user`.execute(db)
    expect(missed).toEqual([])
  })
})

/** Functions and an operator that return the earlier content of row 3. */
const SHADOWS = [
  'create schema forged',
  `create table forged.before as
    select seq, changes::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US AD') as at from audit_log`,
  `create function forged.to_char(timestamp, text) returns text language sql
    return (select at from forged.before where seq = 3)`,
  `create function forged.concat(jsonb) returns text language sql
    return (select changes from forged.before where seq = 3)`,
  'create function forged.at_least(bigint, bigint) returns boolean language sql return $1 > $2 and $1 <> 3',
  'create operator forged.> (leftarg = bigint, rightarg = bigint, function = forged.at_least)',
  'create function forged.max(bigint) returns bigint language sql return 20',
]

/** Rows edited in a column, removed, copied, swapped or cut off, some with a chain or head to match. */
function randomHarm(chance: Chance): string {
  const row = chance.integer(1, ROWS)
  const other = 1 + (row % ROWS)
  const text = chance.uuid()
  const column = chance.pick(['actor_email', 'action', 'reason', 'target_name', 'address', 'request_id'])
  const here = `where seq = ${row}`
  const setHead = (seq: number) =>
    `update audit_head set (seq, hash) = (select seq, hash from audit_log where seq = ${seq})`
  return chance.pick([
    `update audit_log set ${column} = '${text}' ${here}`,
    `update audit_log set ${column} = coalesce(${column}, '') || ' ' ${here}`,
    `update audit_log set ${chance.pick(['actor_id', 'target_id', 'tenant_id'])} = '${text}' ${here}`,
    `update audit_log set tenant_id = null ${here}`,
    `update audit_log set ${chance.pick(['hash', 'prev_hash'])} = sha256('${text}') ${here}`,
    `update audit_log set outcome = 'refused' ${here}`,
    `update audit_log set at = at + interval '${row} ms' ${here}`,
    `update audit_log set at = at ${chance.pick(['+', '-'])} interval '${row} years' ${here}`,
    `update audit_log set changes = '{"goal": {"before": null, "after": "${text}"}}' ${here}`,
    `update audit_log set changes = '{}' ${here}`,
    `update audit_log set changes = changes - 'goal' ${here}`,
    `update audit_log set changes = jsonb_set(changes, '{aggressiveness,after}', '6.10') ${here}`,
    `update audit_log set changes = jsonb_set(changes, '{goal,before}', '""') ${here}`,
    `update audit_log set target_name = replace(target_name, '"', '''') ${here}`,
    `delete from audit_log ${here}`,
    `delete from audit_log where seq >= ${row}`,
    `delete from audit_log where seq <= ${row}`,
    `delete from audit_log where seq > ${Math.min(row, ROWS - 1)}; ${setHead(Math.min(row, ROWS - 1))}`,
    `update audit_log set seq = ${chance.pick([-row, row + ROWS])} ${here}`,
    `update audit_log set seq = -seq where seq in (${row}, ${other});
      update audit_log set seq = case seq when -${row} then ${other} else ${row} end where seq < 0`,
    `create temp table copy on commit drop as select * from audit_log where seq in (${row}, ${other});
      update audit_log as log set actor_email = '${text}', address = copy.address from copy
      where log.seq = ${row} and copy.seq = ${other}`,
    `insert into audit_log (seq, at, action, outcome, changes, prev_hash, hash)
      select ${ROWS + 1}, at, action, outcome, changes, hash, sha256('${text}') from audit_log where seq = ${ROWS};
      ${setHead(ROWS + 1)}`,
    `update audit_head set seq = seq ${chance.pick(['+', '-'])} ${row}`,
    `update audit_head set hash = sha256('${text}')`,
    'delete from audit_head',
  ])
}
