import { FREQUENCIES } from '@switchboard/contract/tasks/schedule'
import { dayOf, DAY_MS } from '@switchboard/contract/wire/days'
import { type Kysely, sql, type Transaction } from 'kysely'
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { connect } from '#src/connection/connect.ts'
import { makeUser, makeApiKey, makeTask, makeTenant } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { recount } from './recount.ts'
import type { Database } from './tables.ts'
import { createTestDatabase } from '@switchboard/testing/test-database'

const WRITERS = 16
const OPERATIONS = 10_000

const database = await createTestDatabase(inject('postgresUrl'))
const { db } = database
afterAll(() => database.drop())

beforeEach(async () => {
  await db.deleteFrom('users').execute()
  await db.deleteFrom('tenants').execute()
})

async function callCounters() {
  const { rows } = await sql`
    select facet, value, sum(count) as count from counters where noun = 'api_key_calls'
    group by facet, value having sum(count) <> 0 order by facet, value`.execute(db)
  return rows
}

describe('counters', () => {
  test('equal a count after 10,000 operations of 16 parallel writers, and at any moment in between', async () => {
    // Without the limits of requests, which depend on the speed of the machine. A wait that does not end fails too, by the
    // limit of the test.
    const writers = connect(database.url, { max: WRITERS + 1, isPatient: true })
    const failures: unknown[] = []
    const operations = { done: 0 }
    const write = async (writer: number) => {
      const random = randomNumbers(writer + 1)
      for (; operations.done < OPERATIONS; operations.done += 1)
        await operate(writers, random).catch((error: unknown) => failures.push(error))
    }
    const differences: unknown[] = []
    const recountRepeatedly = async () => {
      while (operations.done < OPERATIONS) differences.push(...(await recount(writers)))
    }
    await Promise.all([...Array.from({ length: WRITERS }, (_, writer) => write(writer)), recountRepeatedly()])
    await writers.destroy()

    expect(failures).toEqual([])
    expect(differences).toEqual([])
    expect(await recount(db)).toEqual([])
    const { rows } = await sql<{ all: number; rows: number }>`
      select (select count(*) from users) as all, (select count(*) from counters) as rows`.execute(db)
    expect(rows[0]?.all).toBeGreaterThan(500)
    // About 700 counters of days and others, and the changes since the last fold.
    expect(rows[0]?.rows).toBeLessThan(5_000)
  })

  test('of key calls are sums by day, whatever a statement changes', async () => {
    const { id: tenant_id } = await makeTenant(db)
    const [one, other] = [await makeApiKey(db, { tenant_id }), await makeApiKey(db, { tenant_id })]
    const { id: test_id } = await makeApiKey(db, { tenant_id, environment: 'test' })
    const [before, last] = [new Date(Date.now() - 2 * DAY_MS), new Date(Date.now() - DAY_MS)]
    await makeCalls(db, test_id, 'valid', { count: 7, at: before })
    await makeCalls(db, test_id, 'expired', { count: 8, at: before })
    await makeCalls(db, one.id, 'valid', { count: 3, at: before })
    await makeCalls(db, other.id, 'valid', { count: 4, at: before })
    await makeCalls(db, one.id, 'expired', { count: 5, at: last })
    await makeCalls(db, other.id, 'disabled', { count: 6, at: last })
    await makeCalls(db, one.id, 'valid', { count: 10, at: before })
    await makeCalls(db, one.id, 'valid', { count: 20, at: last })
    await sql`delete from api_key_calls where outcome = 'disabled'`.execute(db)
    expect(await callCounters()).toEqual([
      { facet: 'accepted', value: dayOf(before.getTime()), count: 17 },
      { facet: 'accepted', value: dayOf(last.getTime()), count: 20 },
      { facet: 'refused', value: dayOf(last.getTime()), count: 5 },
      { facet: 'test_accepted', value: dayOf(before.getTime()), count: 7 },
      { facet: 'test_refused', value: dayOf(before.getTime()), count: 8 },
    ])
    expect(await recount(db)).toEqual([])
  })

  test('of the calls of days that are folded to months never change', async () => {
    const { id } = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
    const before = await callCounters()
    await makeCalls(db, id, 'valid', { at: new Date(Date.now() - 200 * DAY_MS) })
    await sql`update api_key_calls set count = 7`.execute(db)
    await sql`delete from api_key_calls`.execute(db)
    expect(await callCounters()).toEqual(before)
    await sql`
      insert into counters (noun, facet, value, count) values ('api_key_calls', 'accepted', '2020-02-02', 9)`.execute(
      db,
    )
    expect(await recount(db)).toEqual([])
  })

  test('are empty after a truncate', async () => {
    await makeUser(db)
    await sql`truncate users cascade`.execute(db)
    const { rows } = await sql`select from counters where noun = 'users'`.execute(db)
    expect(rows).toEqual([])
  })
})

describe('a recount', () => {
  const forgetCounts = async () => await sql`truncate counters`.execute(db)

  test('names every wrong counter, repairs it, and finds nothing the next time', async () => {
    const tenant = await makeTenant(db, { created_at: new Date('2026-11-20T00:00:00.000Z') })
    await makeUser(db, { tenant_id: tenant.id, role: 'admin', created_at: new Date('2026-11-19T23:59:59.999Z') })
    await makeApiKey(db, { tenant_id: tenant.id })
    await makeTask(db, { tenant_id: tenant.id })
    await forgetCounts()
    await sql`update tenants set admin_count = 7, active_admin_count = 0, api_key_count = 0, task_count = 2`.execute(db)
    await sql`insert into counters (noun, facet, value, count) values ('tenants', 'status', 'inactive', 3)`.execute(db)

    const of = (column: string) => `${column} of tenant ${tenant.id}`
    expect(await recount(db)).toEqual([
      { where: of('api_key_count'), kept: 0, counted: 1 },
      { where: 'tasks by frequency, daily', kept: 0, counted: 1 },
      { where: 'tasks by status, active', kept: 0, counted: 1 },
      { where: of('task_count'), kept: 2, counted: 1 },
      { where: 'tenants by day, 2026-11-20', kept: 0, counted: 1 },
      { where: 'tenants by status, active', kept: 0, counted: 1 },
      { where: 'tenants by status, inactive', kept: 3, counted: 0 },
      { where: 'tenants by tenant_type, product', kept: 0, counted: 1 },
      { where: 'tenants by type_and_status, product active', kept: 0, counted: 1 },
      { where: of('active_admin_count'), kept: 0, counted: 1 },
      { where: of('admin_count'), kept: 7, counted: 1 },
      { where: 'users by day, 2026-11-19', kept: 0, counted: 1 },
      { where: 'users by role, admin', kept: 0, counted: 1 },
      { where: 'users by role_and_status, admin active', kept: 0, counted: 1 },
      { where: 'users by status, active', kept: 0, counted: 1 },
    ])
    expect(await recount(db)).toEqual([])
  })

  test('repairs the counters of key calls', async () => {
    const { id: tenant_id } = await makeTenant(db)
    const { id } = await makeApiKey(db, { tenant_id })
    const at = new Date()
    await makeCalls(db, id, 'valid', { count: 3, at })
    await makeCalls(db, id, 'expired', { count: 2, at })
    await sql`delete from counters where noun = 'api_key_calls' and facet = 'accepted'`.execute(db)
    expect(await recount(db)).toEqual([
      { where: `api_key_calls by accepted, ${dayOf(at.getTime())}`, kept: 0, counted: 3 },
    ])
    expect(await recount(db)).toEqual([])
  })

  test('repairs once when several run at the same time', async () => {
    await makeTenant(db)
    await forgetCounts()
    const found = await Promise.all([recount(db), recount(db), recount(db)])
    expect(found.filter((differences) => differences.length > 0)).toHaveLength(1)
    expect(await recount(db)).toEqual([])
  })
})

type Random = (below: number) => number

/** One transaction of one writer, locking as the services do: tenants first, in one order. One in eight is rolled back. */
async function operate(pool: Kysely<Database>, random: Random): Promise<void> {
  await pool
    .transaction()
    .execute(async (trx) => {
      await OPERATIONS_OF[random(OPERATIONS_OF.length)]?.(trx, random)
      if (random(8) === 0) throw new RolledBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
}

class RolledBack extends Error {}

const someDay = (random: Random) => new Date(Date.UTC(2026, random(12), 1 + random(28), random(24)))

const OPERATIONS_OF: ((trx: Transaction<Database>, random: Random) => Promise<unknown>)[] = [
  (trx, random) => makeTenant(trx, { created_at: someDay(random) }),
  (trx, random) => makeTenant(trx, { status: 'inactive', created_at: someDay(random) }),
  insertUsers,
  insertUsers,
  insertUsers,
  (trx, random) => makeUser(trx, { created_at: someDay(random) }),
  async (trx, random) => {
    const [tenant_id] = await lockTenants(trx, await someTenants(trx, random, 1))
    if (tenant_id) await makeTask(trx, { tenant_id, is_paused: random(2) === 0 })
  },
  (trx, random) =>
    changeTask(trx, random, (task) => sql`update tasks set is_paused = not is_paused where id = ${task}`),
  (trx, random) => changeTask(trx, random, (task) => sql`update tasks set last_outcome = 'failed' where id = ${task}`),
  (trx, random) =>
    changeTask(trx, random, (task) => sql`update tasks set last_outcome = 'succeeded' where id = ${task}`),
  (trx, random) => {
    const frequency = FREQUENCIES[random(FREQUENCIES.length)]
    return changeTask(trx, random, (task) => sql`update tasks set frequency = ${frequency} where id = ${task}`)
  },
  (trx, random) => changeTask(trx, random, (task) => sql`delete from tasks where id = ${task}`),
  (trx, random) => changeUser(trx, random, sql`is_active = not is_active`),
  (trx, random) => changeUser(trx, random, sql`role = case role when 'user' then 'manager' else 'user' end`),
  (trx, random) => changeUser(trx, random, sql`created_at = ${someDay(random)}`),
  (trx, random) => changeUser(trx, random, sql`password_hash = 'other'`),
  moveUser,
  deleteUser,
  async (trx, random) => {
    const [tenant] = await lockTenants(trx, await someTenants(trx, random, 1))
    if (tenant) await sql`update tenants set status = 'inactive' where id = ${tenant}`.execute(trx)
  },
  async (trx, random) => {
    const [tenant] = await lockTenants(trx, await someTenants(trx, random, 1))
    if (tenant) await sql`update tenants set tenant_type = 'service' where id = ${tenant}`.execute(trx)
  },
  async (trx, random) => {
    // Rarely, or too few tenants would remain.
    const [tenant] = await someTenants(trx, random, random(4) === 0 ? 1 : 0)
    if (tenant) await sql`delete from tenants where id = ${tenant}`.execute(trx)
  },
]

/** Inserts several users of up to three tenants in one statement. */
async function insertUsers(trx: Transaction<Database>, random: Random): Promise<void> {
  const tenants = await lockTenants(trx, await someTenants(trx, random, 1 + random(3)))
  const users = tenants.map((tenant_id, n) => {
    const email = `${n}.${crypto.randomUUID()}@example.com`
    return {
      email,
      folded_email: email,
      password_hash: 'none',
      role: 'user' as const,
      tenant_id,
      is_active: random(3) > 0,
      created_at: someDay(random),
    }
  })
  if (users.length > 0) await trx.insertInto('users').values(users).execute()
}

async function changeUser(trx: Transaction<Database>, random: Random, change: ReturnType<typeof sql>): Promise<void> {
  const user = await lockedUser(trx, random)
  if (user) await sql`update users set ${change} where id = ${user}`.execute(trx)
}

async function deleteUser(trx: Transaction<Database>, random: Random): Promise<void> {
  const user = await lockedUser(trx, random)
  if (user) await trx.deleteFrom('users').where('id', '=', user).execute()
}

async function changeTask(
  trx: Transaction<Database>,
  random: Random,
  change: (id: string) => ReturnType<typeof sql>,
): Promise<void> {
  const [tenant] = await lockTenants(trx, await someTenants(trx, random, 1))
  if (tenant === undefined) return
  const task = await trx.selectFrom('tasks').select('id').where('tenant_id', '=', tenant).limit(1).executeTakeFirst()
  if (task) await change(task.id).execute(trx)
}

async function moveUser(trx: Transaction<Database>, random: Random): Promise<void> {
  const [from, to] = await lockTenants(trx, await someTenants(trx, random, 2))
  if (from && to)
    await sql`
      update users set tenant_id = ${to}
      where id = (select id from users where tenant_id = ${from} limit 1)`.execute(trx)
}

async function lockedUser(trx: Transaction<Database>, random: Random): Promise<string | undefined> {
  const [tenant] = await lockTenants(trx, await someTenants(trx, random, 1))
  if (tenant === undefined) return undefined
  const user = await trx.selectFrom('users').select('id').where('tenant_id', '=', tenant).limit(1).executeTakeFirst()
  return user?.id
}

async function someTenants(trx: Transaction<Database>, random: Random, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tenants order by hashtext(id::text || ${random(1_000_000)}::text) limit ${count}`.execute(trx)
  return rows.map(({ id }) => id)
}

/** The ids of the existing tenants, locked in the order of their ids. */
async function lockTenants(trx: Transaction<Database>, ids: string[]): Promise<string[]> {
  const locked = await sql<{ id: string }>`
    select id from tenants where id = any(${ids}) order by id for no key update`.execute(trx)
  const existing = new Set(locked.rows.map(({ id }) => id))
  return ids.filter((id) => existing.has(id))
}

/** Pseudo-random numbers from 0 to below `below`, equal for equal seeds. */
function randomNumbers(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
