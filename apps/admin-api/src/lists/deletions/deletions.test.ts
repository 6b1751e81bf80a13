import { recount } from '@switchboard/database/recount'
import { makeApiKey, makeReview, makeRun, makeTask, makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { makeToken } from '@switchboard/testing/token-factory'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const ada = await api.signIn('ada@example.com')
const url = '/api/v1/admin'

type Noun = 'users' | 'api_keys' | 'tasks'
const PATHS = { users: 'tenant-admins', api_keys: 'api-keys', tasks: 'tasks' } as const satisfies Record<Noun, string>

const restoreUrl = (noun: Noun, id: string) => `${url}/${PATHS[noun]}/${id}/restore`
const restore = (noun: Noun, id: string, by = ada) => by.call({ method: 'POST', url: restoreUrl(noun, id) })
const bulk = (noun: Noun, action: string, ids: string[], query = '') =>
  ada.call({ method: 'POST', url: `${url}/${PATHS[noun]}/bulk${query}`, body: { action, ids } })
const doneTo = async (id: string) => (await api.doneTo(id)).map(({ action }) => action)

/** Deletes a record by the endpoint of its noun. */
async function remove(noun: Noun, { id, tenant_id }: { id: string; tenant_id: string | null }, by = ada) {
  const path = noun === 'tasks' ? `tasks/${tenant_id}/schedule/${id}` : `${PATHS[noun]}/${id}`
  const answer = await by.call({ method: 'DELETE', url: `${url}/${path}` })
  expect(answer.statusCode).toBeLessThan(300)
}

/** All rows of a record by table, as text, without the time of the last update, which a restore changes. */
async function rowsOf(noun: Noun, id: string): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string; owned: string }>`
    select name, owned from tables_below(${noun}::regclass)`.execute(db)
  const all: Record<string, string[]> = {}
  for (const { name, owned } of [...tables, { name: noun, owned: 'id = $1' }]) {
    const where = sql.raw(owned.replaceAll('$1', `'${id}'`))
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(record) - 'updated_at')::text as row from ${sql.table(name)} as record where ${where} order by 1`.execute(
      db,
    )
    if (rows.length > 0) all[name] = rows.map(({ row }) => row)
  }
  return all
}

async function makeRecord(noun: Noun, tenant_id: string) {
  if (noun === 'users') return await makeUser(db, { tenant_id, role: 'admin', version: 3 })
  if (noun === 'api_keys') return await makeUsedKey(tenant_id)
  const task = await makeTask(db, { tenant_id, is_paused: true, paused_reason: 'Three failures', version: 4 })
  for (const outcome of ['succeeded', 'failed'] as const) await makeRun(db, { task_id: task.id, outcome })
  await makeRun(db, { task_id: task.id, outcome: 'queued', started_at: null, finished_at: null })
  await makeReview(db, { task_id: task.id, rank: 1, text: 'Fine "tea" \\ \u{1f375}' })
  await sql`insert into task_webhooks (task_id, sent_at, message_id) values (${task.id}, now(), gen_random_uuid())`.execute(
    db,
  )
  return task
}

async function makeUsedKey(tenant_id: string) {
  const key = await makeApiKey(db, { tenant_id, allowed_origins: ['https://a.example'], version: 2 })
  await makeCalls(db, key.id, 'valid', { count: 7 })
  await sql`insert into api_key_refused_origins (api_key_id, origin, count, last_at)
    values (${key.id}, 'https://c.example', 3, now())`.execute(db)
  return key
}

const countsOf = async (id: string) =>
  await db
    .selectFrom('tenants')
    .select(['admin_count', 'active_admin_count', 'api_key_count', 'task_count'])
    .where('id', '=', id)
    .execute()

describe.for(['users', 'api_keys', 'tasks'] as const)('a deletion of %s', (noun) => {
  test('is undone row for row with all counts, by one of two concurrent calls, and audited', async () => {
    const tenant = await makeTenant(db)
    const record = await makeRecord(noun, tenant.id)
    const before = [await rowsOf(noun, record.id), await countsOf(tenant.id)]
    await remove(noun, record)
    expect(await countsOf(tenant.id)).not.toEqual(before[1])
    const answers = await Promise.all([restore(noun, record.id), restore(noun, record.id)])
    for (const answer of answers) expect([answer.statusCode, answer.json()]).toMatchObject([200, { id: record.id }])
    expect([await rowsOf(noun, record.id), await countsOf(tenant.id)]).toEqual(before)
    expect((await restore(noun, record.id)).statusCode).toBe(200)
    expect(await doneTo(record.id)).toEqual([`${noun}.delete`, `${noun}.restore`])
    expect(await recount(db)).toEqual([])
    expect(await db.selectFrom('deletions').select('root_id').where('root_id', '=', record.id).execute()).toEqual([])
  })

  test('that never happened has nothing to restore, and the record stays as it is', async () => {
    const record = await makeRecord(noun, (await makeTenant(db)).id)
    const before = await rowsOf(noun, record.id)
    expect((await restore(noun, record.id)).statusCode).toBe(200)
    expect([await rowsOf(noun, record.id), await doneTo(record.id)]).toEqual([before, []])
  })

  test('is undone after a second deletion too', async () => {
    const tenant = await makeTenant(db)
    const record = await makeRecord(noun, tenant.id)
    for (let n = 0; n < 2; n += 1) {
      await remove(noun, record)
      expect((await restore(noun, record.id)).statusCode).toBe(200)
    }
  })

  test('is listed as deleted and restored until it is permanently deleted', async () => {
    const tenant = await makeTenant(db)
    const record = await makeRecord(noun, tenant.id)
    const listed = async (query: string) => {
      const answer = await ada.call({
        method: 'GET',
        url: `${url}/${PATHS[noun]}?limit=9&tenant_id=${tenant.id}&${query}`,
      })
      return [answer.headers['x-total-count'], answer.json()]
    }
    expect(await listed('deleted=true')).toEqual(['0', []])
    const [, [before]] = await listed('')
    await remove(noun, record)
    expect(await listed('')).toEqual(['0', []])
    const shown = { id: record.id, tenant_id: tenant.id, deleted_at: expect.stringMatching(/Z$/) }
    expect(await listed('deleted=true')).toMatchObject(['1', [shown]])
    expect(await listed('deleted=true&q=nobody-has-this')).toEqual(['0', []])
    expect((await restore(noun, record.id)).statusCode).toBe(200)
    expect(await listed('')).toEqual(['1', [{ ...before, updated_at: expect.any(String) }]])
    await remove(noun, record)
    await sql`update deletions set kept_until = null where root_id = ${record.id}`.execute(db)
    expect(await listed('deleted=true')).toEqual(['0', []])
    expect((await restore(noun, record.id)).statusCode).toBe(404)
  })

  test('waits for the restore of a deleted tenant', async () => {
    const tenant = await makeTenant(db)
    const record = await makeRecord(noun, tenant.id)
    await remove(noun, record)
    await ada.call({ method: 'DELETE', url: `${url}/tenants/${tenant.id}` })
    expect((await restore(noun, record.id)).json()).toMatchObject({
      detail: 'The tenant of this record is deleted. Restore the tenant first.',
    })
    await ada.call({ method: 'POST', url: `${url}/tenants/${tenant.id}/restore` })
    expect((await restore(noun, record.id)).statusCode).toBe(200)
  })

  test('of many is undone by one call, which leaves restored records alone', async () => {
    const tenant = await makeTenant(db)
    const records = [await makeRecord(noun, tenant.id), noun === 'tasks' ? null : await makeRecord(noun, tenant.id)]
    const ids = records.flatMap((record) => record?.id ?? [])
    const before = await Promise.all(ids.map((id) => rowsOf(noun, id)))
    expect((await bulk(noun, 'delete', ids)).statusCode).toBe(200)
    for (const is_changed of [true, false]) {
      const { results } = (await bulk(noun, 'restore', ids)).json()
      expect(results).toMatchObject(ids.map((id) => ({ id, outcome: 'done', is_changed })))
    }
    await bulk(noun, 'delete', ids)
    const ofList = (await bulk(noun, 'restore', ids, '?deleted=true')).json().results
    expect(ofList).toMatchObject(ids.map((id) => ({ id, outcome: 'done', is_changed: true })))
    expect(await Promise.all(ids.map((id) => rowsOf(noun, id)))).toEqual(before)
    const [unknown] = (await bulk(noun, 'restore', [crypto.randomUUID()])).json().results
    expect(unknown).toMatchObject({ outcome: 'refused', name: null })
  })

  test('of an unknown id is a 404, and an auditor cannot undo', async () => {
    expect((await restore(noun, crypto.randomUUID())).statusCode).toBe(404)
    const auditor = await api.signIn(`auditor-${noun}@example.com`, 'auditor')
    const tenant = await makeTenant(db)
    const record = await makeRecord(noun, tenant.id)
    await remove(noun, record)
    expect((await restore(noun, record.id, auditor)).statusCode).toBe(403)
  })
})

describe('a deleted user', () => {
  test('whose address has been taken since is not restored', async () => {
    const [tenant, other] = [await makeTenant(db), await makeTenant(db)]
    const user = await makeUser(db, { tenant_id: tenant.id, role: 'user' })
    await remove('users', user)
    const taken = await makeUser(db, { tenant_id: other.id, role: 'user', email: user.email.toUpperCase() })
    const answer = await restore('users', user.id)
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { detail: 'This email address is already in use.' }])
    await ada.call({ method: 'DELETE', url: `${url}/tenants/${other.id}` })
    expect((await restore('users', user.id)).json()).toMatchObject({
      detail: 'A user of a deleted tenant has this email address.',
    })
    await ada.call({ method: 'POST', url: `${url}/tenants/${other.id}/restore` })
    await remove('users', taken)
    expect((await restore('users', user.id)).statusCode).toBe(200)
    expect((await restore('users', taken.id)).statusCode).toBe(409)
  })

  test('of the console keeps the address from users of tenants while the removal can be undone', async () => {
    const [tenant, member] = [await makeTenant(db), await makeUser(db, { role: 'auditor' })]
    const visitor = await makeUser(db, { tenant_id: tenant.id, role: 'user' })
    await remove('users', member)
    const email = member.email.toUpperCase()
    const body = { email, password: 'seven sisters walk at dusk', role: 'user', tenant_id: tenant.id }
    const taken = [
      await ada.call({ method: 'POST', url: `${url}/tenant-admins`, body }),
      await ada.call({ method: 'PATCH', url: `${url}/tenant-admins/${visitor.id}`, body: { email } }),
    ]
    const detail =
      'A person who was removed from the team has this email address. Restore the person, or wait until 30 days after the removal.'
    for (const answer of taken) expect([answer.statusCode, answer.json()]).toMatchObject([409, { detail }])
    const rows = [{ email, role: 'user', tenant_id: tenant.id }]
    const imported = await ada.call({
      method: 'POST',
      url: `${url}/tenant-admins/import`,
      body: { dry_run: false, rows },
    })
    expect(JSON.stringify(imported.json())).toContain(detail)
    expect((await restore('users', member.id)).statusCode).toBe(200)
    await remove('users', member)
    await sql`update deletions set kept_until = null where root_id = ${member.id}`.execute(db)
    expect((await ada.call({ method: 'POST', url: `${url}/tenant-admins`, body })).statusCode).toBe(201)
  })

  test('of the console gets its second factors and devices back, but no session, link or working token', async () => {
    const bob = await api.signIn()
    const user_id = bob.admin.id
    await sql`
      insert into second_factors (user_id, kind, name, created_at, totp_secret, totp_step)
      values (${user_id}, 'totp', 'Phone', now(), '\\x00ff', 1)`.execute(db)
    await sql`insert into recovery_codes (user_id, code_hash) values (${user_id}, '\\x0102')`.execute(db)
    await sql`
      insert into links (kind, email, folded_email, user_id, created_at, expires_at)
      values ('password_reset', ${bob.admin.email}, ${bob.admin.email}, ${user_id}, now(), now() + interval '1 hour')`.execute(
      db,
    )
    const token = await makeToken(db, { created_by_id: user_id })
    const before = await rowsOf('users', user_id)
    await remove('users', bob.admin)
    expect((await api.me(bob.token)).statusCode).toBe(401)
    expect((await api.login(bob.admin.email)).statusCode).toBe(401)
    expect((await restore('users', user_id)).statusCode).toBe(200)
    const { users, second_factors, recovery_codes, known_devices } = before
    const after = await rowsOf('users', user_id)
    expect(after).toEqual({ users, second_factors, recovery_codes, known_devices: after['known_devices'] })
    expect(after['known_devices']).toHaveLength(known_devices?.length ?? 0)
    const made = db.selectFrom('service_tokens').select(['created_by_id', 'revoked_at']).where('id', '=', token.id)
    expect(await made.execute()).toEqual([{ created_by_id: user_id, revoked_at: expect.any(String) }])
    expect((await api.me(bob.token)).statusCode).toBe(401)
  })

  test('of the console is restored with the capability for the team only', async () => {
    const support = await api.signIn('support@example.com', 'support')
    const member = await makeUser(db, { role: 'auditor' })
    await remove('users', member)
    expect((await restore('users', member.id, support)).statusCode).toBe(403)
    expect((await restore('users', member.id)).statusCode).toBe(200)
  })
})

test('a revoked key stays revoked after the undo of its deletion, and a replaced key is replaced again', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const old = await makeApiKey(db, { tenant_id, is_active: false, revoked_at: new Date() })
  const next = await makeApiKey(db, { tenant_id, rotated_from: old.id })
  for (const key of [old, next]) {
    const before = await rowsOf('api_keys', old.id)
    await remove('api_keys', key)
    expect((await restore('api_keys', key.id)).statusCode).toBe(200)
    expect(await rowsOf('api_keys', old.id)).toEqual(before)
  }
})

test('a key is not restored after the key that it replaced has been rotated again', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const old = await makeApiKey(db, { tenant_id })
  const next = await makeApiKey(db, { tenant_id, rotated_from: old.id })
  await remove('api_keys', next)
  await makeApiKey(db, { tenant_id, rotated_from: old.id })
  const answer = await restore('api_keys', next.id)
  expect([answer.statusCode, answer.json()]).toMatchObject([409, { detail: 'This key has already been rotated.' }])
})

test('a task is not restored beside a newer task for the same place', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const place = { place_id: 'ChIJN1t_tDeuEmsRUsoyG83frY4' }
  const task = await makeTask(db, { tenant_id, extra_data: place })
  await remove('tasks', task)
  await makeTask(db, { tenant_id, extra_data: place })
  const answer = await restore('tasks', task.id)
  expect([answer.statusCode, answer.json()]).toMatchObject([
    409,
    { detail: 'This tenant already has a task for this place.' },
  ])
})

test('a restore knows all references that a deletion sets to null', async () => {
  const { rows } = await sql<{ name: string }>`
    select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confdeltype = 'n'
      and confrelid in ('users'::regclass, 'api_keys'::regclass, 'tasks'::regclass)`.execute(db)
  expect(rows).toEqual([{ name: 'service_tokens' }])
})

test('a deletion with a row of another record, as a forged backup could have it, is not restored', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const [user, admin] = [await makeUser(db, { tenant_id, role: 'user' }), await makeUser(db, { role: 'super_admin' })]
  await remove('users', user)
  const factor = {
    id: crypto.randomUUID(),
    user_id: admin.id,
    kind: 'totp',
    name: 'Mine',
    created_at: '2026-11-01T00:00:00Z',
  }
  await sql`
    insert into deletions (root_id, root_table, is_root, table_name, record)
    values (${user.id}, 'users', false, 'second_factors',
      ${JSON.stringify({ ...factor, totp_secret: '\\x00', totp_step: 1 })})`.execute(db)
  expect((await restore('users', user.id)).statusCode).toBe(500)
  expect(await db.selectFrom('second_factors').select('id').where('id', '=', factor.id).execute()).toEqual([])
})
