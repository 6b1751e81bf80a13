import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql, type Transaction } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '#src/connection/connect.ts'
import type { Database } from '#src/tables.ts'
import { type ChainState, verifyAuditChain } from './audit-chain.ts'
import { writeAudit } from './audit.queries.ts'
import { sealAudit } from './seal-audit.ts'

/** A server of the tests has 60 connections for all test files. */
const WRITERS = 18

const { url, drop } = await createTestDatabase(inject('postgresUrl'))
// Without the limits of requests, which depend on the speed of the machine.
const db = connect(url, { max: WRITERS + 3, isPatient: true, onLost: () => undefined })
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

/** Writes entries in `writers` transactions at once, three of each. */
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

test('an entry holds before and after it is sealed, and has its place in the order of the changes', async () => {
  for (const name of ['first', 'second', 'third'])
    await db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, entry(name)))
  const names = async () => {
    const rows = await db.selectFrom('audit_entries').select(['target_name', 'changes']).orderBy('seq').execute()
    expect(rows.map(({ changes }) => changes['goal']?.after)).toEqual(rows.map(({ target_name }) => target_name))
    return rows.map(({ target_name }) => target_name)
  }
  expect(await names()).toEqual(['first', 'second', 'third'])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 0, unsealed: { entries: 3 } })
  expect(await sealAudit(db)).toBe(3)
  expect(await names()).toEqual(['first', 'second', 'third'])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: 3, unsealed: { entries: 0 } })
})

test('an open transaction delays no other writer and no sealer, and its entry comes after those sealed before it', async () => {
  const before = (await count('audit_log')) ?? 0
  const slow = await db.startTransaction().execute()
  await writeAudit(slow, new Date(), actor, entry('slow'))
  await db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, entry('fast')))
  expect(await sealAudit(db)).toBe(1)
  await slow.commit().execute()
  expect(await sealAudit(db)).toBe(1)
  const rows = await db
    .selectFrom('audit_log')
    .select(['seq', 'target_name'])
    .where('seq', '>', before)
    .orderBy('seq')
    .execute()
  expect(rows).toEqual([
    { seq: before + 1, target_name: 'fast' },
    { seq: before + 2, target_name: 'slow' },
  ])
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds' })
})

test('a writer does not wait for a sealer in the middle of its work', async () => {
  const sealer = await db.startTransaction().execute()
  await db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, entry('sealed')))
  expect(await sealAudit(sealer)).toBe(1)
  await db.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = '1ms'`.execute(trx)
    await writeAudit(trx, new Date(), actor, entry('meanwhile'))
  })
  await sealer.commit().execute()
  expect(await sealAudit(db)).toBe(1)
})

test('a transaction that is rolled back leaves no entry and no gap', async () => {
  await undone((trx) => writeAudit(trx, new Date(), actor, entry('undone')))
  await db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, entry('done')))
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', unsealed: { entries: 1 } })
  expect(await sealAudit(db)).toBe(1)
})

test('a sealer whose connection ends in the middle leaves everything to the next one', async () => {
  const before = (await count('audit_entries')) ?? 0
  await writeAtOnce(3)
  const sealer = connect(url, { max: 1, isPatient: true, onLost: () => undefined })
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
  await expect.poll(end).toBe(1)
  await sealing
  await busy.commit().execute()
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: before, unsealed: { entries: 9 } })
  expect(await sealAudit(db)).toBe(9)
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows: before + 9, unsealed: { entries: 0 } })
})

test('many writers and two sealers lose and repeat nothing, and a reader that follows the numbers misses none', async () => {
  const before = (await count('audit_entries')) ?? 0
  const writing = new AbortController()
  const sealing = [0, 1].map(async () => {
    while (!writing.signal.aborted) {
      await sealAudit(db)
      await sleep(20)
    }
  })
  const followed: number[] = []
  const follow = async () => {
    const rows = await db
      .selectFrom('audit_log')
      .select('seq')
      .where('seq', '>', followed.at(-1) ?? 0)
      .orderBy('seq')
      .execute()
    followed.push(...rows.map(({ seq }) => seq))
  }
  const following = (async () => {
    while (!writing.signal.aborted) await follow()
  })()
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; n < 20; n += 1)
        await db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, entry(`${writer}.${n}`)))
    }),
  ).finally(() => writing.abort())
  await Promise.all([...sealing, following])
  await sealAudit(db)
  await follow()
  const rows = before + 20 * WRITERS
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds', rows, unsealed: { entries: 0 } })
  expect(await count('(select distinct target_id from audit_log) as targets')).toBe(rows)
  expect(followed).toEqual(Array.from({ length: rows }, (_, n) => n + 1))
})

test('unsealed entries cannot be updated or truncated', async () => {
  await undone(async (trx) => {
    await writeAudit(trx, new Date(), actor, entry('kept'))
    await expect(sql`update audit_unsealed set reason = 'x'`.execute(trx)).rejects.toThrow(
      'audit_unsealed is append-only',
    )
  })
  await expect(sql`truncate audit_unsealed`.execute(db)).rejects.toThrow('audit_unsealed is append-only')
})

test('the check says how many entries nothing proves, and for how long', async () => {
  await undone(async (trx) => {
    await writeAudit(trx, new Date(Date.now() - 600_000), actor, entry('old'))
    await writeAudit(trx, new Date(), actor, entry('new'))
    const { unsealed } = unsealedOf(await verifyAuditChain(trx))
    expect(unsealed.entries).toBe(2)
    expect(Math.abs(unsealed.oldest_seconds - 600)).toBeLessThan(60)
    // The owner of the database removes one of them, and the check does not find it.
    await sql`delete from audit_unsealed where id = (select max(id) from audit_unsealed)`.execute(trx)
    expect(unsealedOf(await verifyAuditChain(trx)).unsealed.entries).toBe(1)
  })
})

function unsealedOf(state: ChainState) {
  if (state.state !== 'holds') throw new Error('The chain holds.')
  return state
}
