import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '#src/connection/connect.ts'
import type { Database } from '#src/tables.ts'
import { verifyAuditChain } from './audit-chain.ts'
import { auditRowOf, writeAudit, writeAudits } from './audit.queries.ts'
import { sealAudit } from './seal-audit.ts'

/** A server of the tests has 60 connections for all test files. */
const WRITERS = 18

const { url, drop } = await createTestDatabase(inject('postgresUrl'))
const db = connect(url, { max: WRITERS + 2, onLost: () => undefined })
afterAll(async () => {
  await db.destroy()
  await drop()
})
const actor = { id: null, email: 'ada@example.com', address: '::1', request_id: null }
const entry = (name: string) => ({
  action: 'tenants.update',
  target: { type: 'tenant', id: crypto.randomUUID(), name, tenant_id: null } as const,
  changes: { goal: { before: null, after: name } },
})

/** Writes entries in `writers` transactions at once, three of each, so that as many writers' chains are used. */
async function writeAtOnce(writers: number): Promise<void> {
  const open = await Promise.all(Array.from({ length: writers }, () => db.startTransaction().execute()))
  for (let n = 0; n < 3; n += 1)
    for (const [writer, trx] of open.entries()) await writeAudit(trx, new Date(), actor, entry(`${writer}.${n}`))
  for (const trx of open) await trx.commit().execute()
}

const count = async (from: string, on: Pick<typeof db, 'getExecutor'> = db) =>
  (await sql<{ count: number }>`select count(*) from ${sql.raw(from)}`.execute(on)).rows[0]?.count

/** Runs `work` in a transaction that is rolled back. */
async function undone<Result>(work: (trx: Transaction<Database>) => Promise<Result>): Promise<Result> {
  const trx = await db.startTransaction().execute()
  try {
    return await work(trx)
  } finally {
    await trx.rollback().execute()
  }
}

/** A malicious owner of the database disables the trigger against changes. */
async function tamper(trx: Transaction<Database>, statement: string): Promise<void> {
  await sql`alter table audit_unsealed disable trigger user`.execute(trx)
  await sql.raw(statement).execute(trx)
  await sql`alter table audit_unsealed enable trigger user`.execute(trx)
}

test('an entry holds before and after it is sealed, and has its place in the order of the changes', async () => {
  for (const name of ['first', 'second', 'third'])
    await db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, entry(name)))
  const names = async () => {
    const rows = await db.selectFrom('audit_entries').select(['target_name', 'changes']).orderBy('seq').execute()
    expect(rows.map(({ changes }) => changes['goal']?.after)).toEqual(rows.map(({ target_name }) => target_name))
    return rows.map(({ target_name }) => target_name)
  }
  expect(await names()).toEqual(['first', 'second', 'third'])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 0, unsealed: 3 })
  expect(await sealAudit(db)).toEqual({ entries: 3, broken: [] })
  expect(await names()).toEqual(['first', 'second', 'third'])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 3, unsealed: 0 })
})

test('a writer that finds all chains locked waits for one of them', async () => {
  const before = (await count('audit_entries')) ?? 0
  const busy = await db.startTransaction().execute()
  await sql`select from audit_tails for update`.execute(busy)
  const late = db.transaction().execute((trx) => writeAudits(trx, new Date(), actor, [entry('late'), entry('later')]))
  const waiting = async () =>
    await count(`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
  await busy.commit().execute()
  await late
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: before, unsealed: 2 })
  await sealAudit(db)
})

test('concurrent writers write into separate chains, a single writer always into the first', async () => {
  await writeAtOnce(5)
  expect(await count('(select distinct tail from audit_unsealed) as tails')).toBe(5)
  await sealAudit(db)
  for (let n = 0; n < 3; n += 1)
    await db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, entry('alone')))
  expect(await db.selectFrom('audit_unsealed').select('tail').distinct().execute()).toEqual([{ tail: 1 }])
  await sealAudit(db)
})

test('a transaction that is rolled back leaves no entry and no gap', async () => {
  await undone((trx) => writeAudit(trx, new Date(), actor, entry('undone')))
  await db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, entry('done')))
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', unsealed: 1 })
  expect(await sealAudit(db)).toEqual({ entries: 1, broken: [] })
})

test('a sealer whose connection ends in the middle leaves everything to the next one', async () => {
  const before = (await count('audit_entries')) ?? 0
  await writeAtOnce(3)
  const sealer = connect(url, { max: 1, onLost: () => undefined })
  onTestFinished(() => sealer.destroy())
  const busy = await db.startTransaction().execute()
  await sql`lock table audit_log in share mode`.execute(busy)
  const sealing = expect(sealAudit(sealer)).rejects.toThrow()
  const end = async () =>
    (
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%with sealed as%' and wait_event_type = 'Lock'`.execute(db)
    ).rows.length
  await expect.poll(end, { timeout: 20_000 }).toBe(1)
  await sealing
  await busy.commit().execute()
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: before, unsealed: 9 })
  expect(await sealAudit(db)).toEqual({ entries: 9, broken: [] })
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: before + 9, unsealed: 0 })
})

test('many writers, two sealers and a release that writes into the log lose and repeat nothing', async () => {
  const before = (await count('audit_entries')) ?? 0
  const writing = new AbortController()
  const sealing = [0, 1].map(async () => {
    while (!writing.signal.aborted) {
      await sealAudit(db)
      await sleep(20)
    }
  })
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; n < 20; n += 1)
        await db.transaction().execute(async (trx) => {
          if (writer % 6 === 0 && n % 5 === 0)
            await trx
              .insertInto('audit_log')
              .values(auditRowOf(new Date(), actor, entry('direct')))
              .execute()
          else await writeAudit(trx, new Date(), actor, entry(`${writer}.${n}`))
        })
    }),
  ).finally(() => writing.abort())
  await Promise.all(sealing)
  await sealAudit(db)
  const rows = before + 20 * WRITERS
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows, unsealed: 0 })
  expect(await count('(select distinct target_id from audit_log) as targets')).toBe(rows)
})

describe('of unsealed entries, the check finds', () => {
  beforeAll(async () => {
    await sealAudit(db)
    await writeAtOnce(4)
    await sealAudit(db)
    await writeAtOnce(3)
    expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', unsealed: 9 })
  })

  const second = 'tail = 1 and id = (select min(id) + 3 from audit_unsealed)'
  const newest = '(select max(id) from audit_unsealed where tail = 2)'
  const copied = (values: string) =>
    `insert into audit_unsealed select ${values}, at, actor_id, actor_email, action, outcome, reason, target_type, target_id,
      target_name, tenant_id, changes, address, request_id, prev_hash, hash from audit_unsealed where ${second}`
  const rehashed = `hash = audit_row_hash(prev_hash, id, at, actor_id, 'eve@example.com', action, outcome, reason, target_type,
    target_id, target_name, tenant_id, changes, address, request_id)`
  const harm: [string, string][] = [
    ['an edited actor', `update audit_unsealed set actor_email = 'eve@example.com' where ${second}`],
    ['an edited actor id', `update audit_unsealed set actor_id = gen_random_uuid() where ${second}`],
    ['an edited action', `update audit_unsealed set action = 'tenants.delete' where ${second}`],
    ['an edited outcome', `update audit_unsealed set outcome = 'refused' where ${second}`],
    ['an edited reason', `update audit_unsealed set reason = '' where ${second}`],
    ['an edited change', `update audit_unsealed set changes = '{"goal": {"before": 1, "after": 2}}' where ${second}`],
    ['a removed change', `update audit_unsealed set changes = '{}' where ${second}`],
    ['a moved time', `update audit_unsealed set at = at + interval '1 ms' where ${second}`],
    ['a time in another era', `update audit_unsealed set at = at - interval '4000 years' where ${second}`],
    ['an edited target', `update audit_unsealed set target_id = gen_random_uuid() where ${second}`],
    ['an edited name', `update audit_unsealed set target_name = target_name || ' ' where ${second}`],
    ['another tenant', `update audit_unsealed set tenant_id = gen_random_uuid() where ${second}`],
    ['an edited address', `update audit_unsealed set address = null where ${second}`],
    ['an edited request id', `update audit_unsealed set request_id = 'x' where ${second}`],
    ['another order', `update audit_unsealed set id = id + 1000 where ${second}`],
    ['a repeated id', `update audit_unsealed set id = id + 1 where ${second}`],
    ['another chain', `update audit_unsealed set tail = 2 where ${second}`],
    ['a chain that does not exist', `update audit_unsealed set tail = 99 where ${second}`],
    ['an edited hash', `update audit_unsealed set hash = sha256('x') where ${second}`],
    ['an edited hash before', `update audit_unsealed set prev_hash = sha256('x') where ${second}`],
    [
      'an edited entry with a recomputed hash',
      `update audit_unsealed set actor_email = 'eve@example.com', ${rehashed} where ${second}`,
    ],
    [
      'an edited newest entry with a recomputed hash',
      `update audit_unsealed set actor_email = 'eve@example.com', ${rehashed} where id = ${newest}`,
    ],
    ['a removed entry', `delete from audit_unsealed where ${second}`],
    ['a removed oldest entry', 'delete from audit_unsealed where id = (select min(id) from audit_unsealed)'],
    ['a removed newest entry', `delete from audit_unsealed where id = ${newest}`],
    ['a chain whose entries are all removed', 'delete from audit_unsealed where tail = 3'],
    ['the removal of all entries', 'delete from audit_unsealed'],
    ['an exact copy', copied('id, tail')],
    ['a copy with another id', copied('id + 1000, tail')],
    ['a copy in a chain without entries', copied('id, 4')],
    [
      'an end set back',
      `update audit_tails set hash = (select hash from audit_unsealed where ${second}) where tail = 1`,
    ],
    [
      'a sealed end set forward',
      'update audit_sealed set hash = (select prev_hash from audit_unsealed where id = ' + newest + ') where tail = 2',
    ],
    ['a removed end', 'delete from audit_tails where tail = 2'],
    ['a removed sealed end', 'delete from audit_sealed where tail = 2'],
    [
      'a removed chain',
      'delete from audit_unsealed where tail = 3; delete from audit_tails where tail = 3; delete from audit_sealed where tail = 3',
    ],
    ['a removed last chain', 'delete from audit_tails where tail = 64; delete from audit_sealed where tail = 64'],
    ['a closed chain', 'update audit_tails set is_closed = true where tail = 2'],
    [
      'two swapped ends',
      `update audit_tails as one set hash = other.hash from audit_tails as other where one.tail in (1, 2) and other.tail = 3 - one.tail`,
    ],
    [
      'a row policy',
      `alter table audit_unsealed enable row level security; alter table audit_unsealed force row level security`,
    ],
  ]
  test.for(harm)('%s, before and after more entries and the sealer', async ([, statement]) => {
    await undone(async (trx) => {
      await tamper(trx, statement)
      expect(await verifyAuditChain(trx)).toMatchObject({ state: 'broken' })
      await writeAudits(trx, new Date(), actor, [entry('later'), entry('last')])
      await sealAudit(trx)
      expect(await verifyAuditChain(trx)).toMatchObject({ state: 'broken' })
    })
  })

  const disguises: [string, string][] = [
    [
      'a view in the place of the entries',
      'alter table audit_unsealed rename to real_entries; create view audit_unsealed as select * from real_entries',
    ],
    [
      'an edited entry in spite of a replaced hash function',
      `update audit_unsealed set actor_email = 'eve@example.com' where ${second};
      create or replace function audit_row_hash(
        prev_hash bytea, seq bigint, at timestamptz, actor_id uuid, actor_email text, action text, outcome text, reason text,
        target_type text, target_id uuid, target_name text, tenant_id uuid, changes jsonb, address text, request_id text
      ) returns bytea language sql as 'select hash from audit_unsealed where id = $2'`,
    ],
  ]
  test.for(disguises)('%s', async ([, statement]) => {
    await undone(async (trx) => {
      await sql`alter table audit_unsealed disable trigger user`.execute(trx)
      await sql.raw(statement).execute(trx)
      expect(await verifyAuditChain(trx)).toMatchObject({ state: 'broken' })
    })
  })

  test('a broken chain: its entries before the break are sealed, the others stay, and all other entries are sealed', async () => {
    await undone(async (trx) => {
      await tamper(trx, `update audit_unsealed set reason = 'x' where ${second}`)
      expect(await sealAudit(trx)).toEqual({ entries: 7, broken: [1] })
      const tails = await trx.selectFrom('audit_tails').select(['tail', 'is_closed']).orderBy('tail').execute()
      expect([tails.length, tails[0], tails[64]]).toEqual([
        65,
        { tail: 1, is_closed: true },
        { tail: 65, is_closed: false },
      ])
      await writeAudit(trx, new Date(), actor, entry('later'))
      expect(await sealAudit(trx)).toEqual({ entries: 1, broken: [] })
      expect(await count('audit_unsealed', trx)).toBe(2)
    })
  })

  test('unsealed entries cannot be updated or truncated', async () => {
    for (const statement of ["update audit_unsealed set reason = 'x'", 'truncate audit_unsealed'])
      await expect(sql.raw(statement).execute(db)).rejects.toThrow('audit_unsealed is append-only')
  })
})
