import { renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { login } from '@switchboard/contract/auth'
import { runTask } from '@switchboard/contract/runs'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { recount } from '@switchboard/database/recount'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { dataFolder, type ServerProcess, startProcess } from '#tests/server-process.ts'

/** Time limit for several starts of the product on a busy machine. */
const STARTS_MS = 360_000
const DEMO = 'scripts/demo.ts'
const DATA_DIR = dataFolder()
const settings = { DATA_DIR, SUPER_ADMIN_EMAIL: '', SUPER_ADMIN_PASSWORD: '' }

let demo: ServerProcess
let db: Kysely<Database>

async function start(): Promise<void> {
  demo = startProcess(settings, DEMO)
  await demo.ready()
  db = connect(urlOfRunning(DATA_DIR) ?? '', { isPatient: true, onLost: () => undefined })
}

async function stop(): Promise<void> {
  await db.destroy()
  demo.child.kill('SIGTERM')
  expect(await demo.ended).toMatchObject({ code: 0 })
}

async function count(from: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.raw(from)}`.execute(db)
  return rows[0]?.count ?? 0
}

beforeAll(async () => {
  const interrupted = startProcess(settings, DEMO)
  await vi.waitUntil(() => interrupted.output().includes('Making the demo world'), { interval: 5, timeout: STARTS_MS })
  db = connect(urlOfRunning(DATA_DIR) ?? '', { max: 1, onLost: () => undefined })
  // In the middle of the creation: other connections have written and not committed. Or after it, if this process slept.
  const writers = 'pg_stat_activity where backend_xid is not null and pid <> pg_backend_pid()'
  const isMade = () => interrupted.output().includes(' is ready: ')
  await vi.waitUntil(async () => (await count(`${writers} and query ~ '"runs"'`)) > 0 || isMade(), {
    interval: 5,
    timeout: STARTS_MS,
  })
  await db.destroy()
  interrupted.child.kill('SIGKILL')
  await interrupted.ended
  await start()
}, STARTS_MS)
afterAll(async () => {
  await stop()
  rmSync(DATA_DIR, { recursive: true, force: true })
})

test('the world is complete, although the first start was interrupted', async () => {
  expect(await count(`tenants`)).toBe(300)
  expect(await count(`users where role <> 'super_admin'`)).toBe(900)
})

describe('the world has', () => {
  const keys = 'api_keys where'
  const refused = (outcome: string) =>
    `api_key_calls where outcome = '${outcome}' and since > now() - interval '7 days'`
  const failed = (reason: string) => `runs where outcome = 'failed' and reason = '${reason}'`
  const skipped = (reason: string) => `runs where outcome = 'skipped' and reason = '${reason}'`
  const states: [state: string, from: string][] = [
    ['inactive tenants', `tenants where status = 'inactive'`],
    ['tenants of both types', `(select from tenants group by tenant_type offset 1) as second`],
    ['tenants without a user', `tenants where status = 'active' and admin_count = 0`],
    ['names in other alphabets', `tenants where name ~ '^[^a-zA-Z]+$'`],
    ['a name of the maximum length', `tenants where char_length(name) = 120`],
    ['tenants without a goal', `tenants where goal = ''`],
    ['new tenants', `tenants where created_at > now() - interval '7 days'`],
    ['inactive users', `users where not is_active and tenant_id is not null`],
    ['users of every role', `(select from users group by role offset 3) as fourth`],
    ['an inactive super admin', `users where not is_active and role = 'super_admin'`],
    ['active keys', `${keys} is_active and expires_at is null`],
    ['inactive keys', `${keys} not is_active and revoked_at is null`],
    [
      'keys that expire soon',
      `${keys} is_active and grace_ends_at is null and expires_at between now() and now() + interval '14 days'`,
    ],
    ['expired keys', `${keys} is_active and rotated_at is null and expires_at < now()`],
    ['revoked keys', `${keys} revoked_at is not null`],
    ['deleted keys', `deletions where root_table = 'api_keys' and is_root`],
    ['keys in grace', `${keys} grace_ends_at > now()`],
    [
      'rotated keys used after their grace period',
      `${keys} grace_ends_at < now() and id in (select api_key_id from ${refused('expired')})`,
    ],
    ['test keys', `${keys} environment = 'test'`],
    ['keys for any origin', `${keys} allowed_origins = '{}'`],
    ['keys for wildcards', `${keys} allowed_origins::text like '%*.%'`],
    ['keys never used', `${keys} id not in (select api_key_id from api_key_calls)`],
    [
      'keys used every day of a month',
      `(select from api_key_calls where outcome = 'valid' group by api_key_id having count(*) > 30) as daily`,
    ],
    ...['valid', 'revoked', 'tenant_inactive', 'disabled', 'expired', 'origin_refused'].map(
      (outcome): [string, string] => [`checks with the result ${outcome}`, refused(outcome)],
    ),
    ['tasks that never ran', `tasks where last_run is null and last_outcome is null`],
    ['tasks of every frequency', `(select from tasks group by frequency offset 3) as fourth`],
    ['tasks that failed twice', `tasks where failures_in_a_row = 2 and not is_paused`],
    ['tasks that paused themselves', `tasks where is_paused and paused_reason is not null`],
    ['tasks that an admin paused', `tasks where is_paused and paused_reason is null`],
    ...[
      'place_malformed',
      'place_obsolete',
      'unavailable',
      'unreachable',
      'timeout',
      'quota_minute',
      'key_invalid',
      'broken_off',
    ].map((reason): [string, string] => [`runs that failed: ${reason}`, failed(reason)]),
    ...['task_paused', 'tenant_inactive', 'already_running', 'place_changed'].map((reason): [string, string] => [
      `runs that were skipped: ${reason}`,
      skipped(reason),
    ]),
    ['manual runs', `runs where trigger = 'manual' and outcome = 'succeeded' and started_by is not null`],
    ['runs with retries', `runs where outcome = 'succeeded' and attempts > 1`],
    ['runs with a lost worker', `runs where outcome = 'succeeded' and interruptions > 0`],
    ...[1, 2, 3, 4, 5].map((stars): [string, string] => [
      `reviews with ${stars} stars`,
      `reviews where rating = ${stars}`,
    ]),
    ['ratings without text', `reviews where text is null`],
    ['translated reviews', `reviews where original_text <> text`],
    ['changed reviews', `reviews where last_changed_at > first_seen_at`],
    ['reviews with and without a photo', `(select from reviews group by author_photo_uri is null offset 1) as second`],
    ['restored versions of the template', `prompt_versions where restored_from is not null`],
    ['versions with and without a note', `(select from prompt_versions group by note = '' offset 1) as second`],
    ...['delivered', 'retrying', 'failed'].map((state): [string, string] => [
      `deliveries that are ${state}`,
      `webhook_deliveries where state = '${state}' and at > now() - interval '30 days'`,
    ]),
    ['other sessions', `sessions where expires_at > now()`],
    ['refusals', `audit_log where outcome = 'refused' and actor_id is not null`],
    ['failed sign-ins', `audit_log where action = 'auth.login' and outcome = 'refused'`],
  ]
  test.for(states)('%s', async ([, from]) => {
    expect(await count(from)).toBeGreaterThan(0)
  })

  test('a run that retries when the quota is renewed', async () => {
    await expect.poll(() => count(`runs where outcome = 'retrying' and reason = 'quota_day'`)).toBe(1)
  })
})

test('no webhook is on, so nothing is sent', async () => {
  expect(await count('webhooks')).toBe(3)
  expect(await count(`webhooks where is_active`)).toBe(0)
  expect(await count(`webhook_deliveries where job_id is not null`)).toBe(0)
})

test('no run waits without a job', async () => {
  expect(await count(`runs where finished_at is null and created_at < now() - interval '2 minutes'`)).toBe(0)
})

test('a sign-in as any other account is refused like an unknown address', async () => {
  const user = await db.selectFrom('users').select('email').where('role', '=', 'user').executeTakeFirstOrThrow()
  const refusals = []
  for (const email of ['mei.okadari@switchboard.example', user.email, 'unknown@switchboard.example']) {
    const body = JSON.stringify({ email, password: 'none' })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${await demo.ready()}${login.url}`, { method: 'POST', headers, body })
    refusals.push(`${answer.status} ${await answer.text()}`)
  }
  expect(new Set(refusals)).toEqual(new Set(['401 {"detail":"Invalid email or password","code":"unauthorized"}']))
  expect(refusals).toHaveLength(3)
})

test('the counters equal the rows', async () => {
  expect(await recount(db)).toEqual([])
})

test('the audit log covers a year, in order, and its chain holds', async () => {
  expect(await verifyAuditChain(db)).toMatchObject({ state: 'holds' })
  expect(
    await count(`(select at < lag(at) over (order by seq) as is_back from audit_log) as steps where is_back`),
  ).toBe(0)
  expect(await count(`audit_log where at > now()`)).toBe(0)
  expect(await count(`audit_log where at < now() - interval '365 days'`)).toBeGreaterThan(0)
})

test('a manual run pulls reviews of the same place', async () => {
  const [, password, email] = /Password +([^\s"]+)[^]+?Sign in as +([^\s"]+)/.exec(demo.output()) ?? []
  const { access_token, admin } = login.schema.response[200].parse(await post(login.url, { email, password }))
  const task = await db
    .selectFrom('tasks')
    .innerJoin('tenants', 'tenants.id', 'tenant_id')
    .select('tasks.id')
    .where('status', '=', 'active')
    .where('last_outcome', '=', 'succeeded')
    .where('next_run', '>', sql<string>`now() + interval '1 hour'`)
    .orderBy('tasks.id')
    .executeTakeFirstOrThrow()
  const body = { task_id: task.id, super_admin_id: admin.id, timestamp: new Date().toISOString() }
  const answer = await post(runTask.url.replace(':task_id', task.id), body, access_token)
  expect(answer).toMatchObject({ result: { status: 'success' } })
  // Two of the five reviews are the same at every run.
  expect(await count(`reviews where task_id = '${task.id}' and first_seen_at < last_seen_at`)).toBeGreaterThan(0)
})

async function post(url: string, body: object, token?: string): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const answer = await fetch(`${await demo.ready()}${url}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
  return await answer.json()
}

test(
  'another start creates nothing, and prints the password again',
  async () => {
    const world = async () => await count('audit_entries')
    const before = await world()
    const passwordLine = /Password .*/.exec(demo.output())?.[0]
    await stop()
    await start()
    expect(await world()).toEqual(before)
    expect(await count('tenants')).toBe(300)
    expect(demo.output()).toContain(passwordLine)
    expect(demo.output()).not.toContain('Making')
  },
  STARTS_MS,
)

test('a database from DATABASE_URL stays unchanged', async () => {
  const url = 'postgresql://nobody@127.0.0.1:1/none'
  await expectRefusal({ DATABASE_URL: url }, 'The demo has a separate database. Start it without DATABASE_URL.')
})

test(
  'a data folder that is not a demo stays unchanged',
  async () => {
    const entries = await count('audit_entries')
    await stop()
    const mark = path.join(DATA_DIR, 'demo.json')
    renameSync(mark, `${mark}-away`)
    await expectRefusal({}, `${DATA_DIR} holds a Switchboard that is no demo. Set DATA_DIR to another folder.`)
    renameSync(`${mark}-away`, mark)
    await start()
    expect(await count('audit_entries')).toBe(entries)
  },
  STARTS_MS,
)

/** Fails the test unless the process prints this line and ends with 1. */
async function expectRefusal(more: Record<string, string>, sentence: string): Promise<void> {
  expect(await startProcess({ ...settings, ...more }, DEMO).ended).toEqual({ code: 1, stderr: `${sentence}\n` })
}
