import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/tenants'

/** `DELETED_USERS=100000` for the long run. */
const USERS = Number(process.env['DELETED_USERS'] ?? 4_000)
const USERS_PER_STATEMENT = 2_000
const BLOCKED_MAX_MS = 100

/** The longest time for which a statement has waited for a lock, in ms, sampled until `until` settles. */
async function longestWait(until: Promise<unknown>): Promise<number> {
  const waiting = new Map<number, number>()
  const state = { isOver: false, longest: 0 }
  const over = until.finally(() => (state.isOver = true))
  while (!state.isOver) {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    for (const pid of waiting.keys()) if (!rows.some((row) => row.pid === pid)) waiting.delete(pid)
    for (const { pid } of rows) {
      waiting.set(pid, waiting.get(pid) ?? performance.now())
      state.longest = Math.max(state.longest, performance.now() - (waiting.get(pid) ?? 0))
    }
  }
  await over
  return state.longest
}

/** The number of users of a tenant, and a digest of their rows. */
async function digestOfUsers(id: string) {
  const { rows } = await sql`
    select count(*)::int as count, md5(string_agg(users::text, '|' order by id)) as digest
    from users where tenant_id = ${id}`.execute(db)
  return rows
}

test(
  `the deletion and the restore of a tenant with ${USERS} users let others change, and keep every row`,
  { timeout: 600_000 },
  async () => {
    const { id } = await makeTenant(db)
    for (let made = 0; made < USERS; made += USERS_PER_STATEMENT)
      await sql`
      insert into users (email, password_hash, role, tenant_id)
      select ${made}::int + n || '@large.example', 'none', 'user', ${id} from generate_series(1, ${USERS_PER_STATEMENT}::int) as n`.execute(
        db,
      )
    const before = await digestOfUsers(id)
    const other = await makeTenant(db)
    const user = await makeUser(db, { tenant_id: other.id, role: 'user' })
    const state = { isOver: false, changes: 0 }
    const changing = async () => {
      while (!state.isOver) {
        const goal = { method: 'PUT', url: `${url}/${other.id}`, body: { goal: `${(state.changes += 1)}` } } as const
        expect((await admin.call(goal)).statusCode).toBe(200)
        const role = { role: state.changes % 2 === 0 ? 'user' : 'manager' }
        const change = { method: 'PATCH', url: `/api/v1/admin/tenant-admins/${user.id}`, body: role } as const
        expect((await admin.call(change)).statusCode).toBe(200)
      }
    }
    const moving = async () => {
      expect((await admin.call({ method: 'DELETE', url: `${url}/${id}` })).statusCode).toBe(204)
      expect((await admin.call({ method: 'POST', url: `${url}/${id}/restore` })).statusCode).toBe(200)
      state.isOver = true
    }
    expect(await longestWait(Promise.all([moving(), changing()]))).toBeLessThan(BLOCKED_MAX_MS)
    expect(state.changes).toBeGreaterThan(3)
    expect(await digestOfUsers(id)).toEqual(before)
    expect(before).toMatchObject([{ count: USERS }])
  },
)
