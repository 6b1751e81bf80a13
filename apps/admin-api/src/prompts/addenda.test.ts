import { makeTenant } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/prompts/templates'

const makeId = async () => (await makeTenant(db, { name: 'Harbor Dental' })).id
const live = async (id: string) => (await admin.call({ method: 'GET', url: `${url}?tenant_id=${id}` })).json()
const save = (id: string, template: string, version?: number, as = admin) =>
  as.call({
    method: 'PUT',
    url: `${url}/general?tenant_id=${id}`,
    body: { template },
    ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
  })
const restore = (id: string, version: number) =>
  admin.call({ method: 'POST', url: `${url}/general/versions/${version}/restore?tenant_id=${id}` })
const versions = async (id: string) =>
  (await admin.call({ method: 'GET', url: `${url}/general/versions?tenant_id=${id}` })).json()
const lastAudit = () =>
  db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()

test('a tenant has no addendum until the first version, which is based on version 0', async () => {
  const id = await makeId()
  expect([await live(id), await versions(id)]).toEqual([[], []])
  const answer = await save(id, 'We close on {{ goal }}.', 0)
  expect([answer.statusCode, answer.headers['etag']]).toEqual([200, '"1"'])
  expect(answer.json()).toMatchObject({
    prompt_type: 'general',
    version: 1,
    template: 'We close on {{ goal }}.',
    author_email: 'ada@example.com',
    created_at: clock.at.toISOString(),
  })
  expect(await live(id)).toEqual([answer.json()])
  expect(await lastAudit()).toMatchObject({
    action: 'prompts.save',
    target_type: 'addendum',
    target_name: 'Harbor Dental',
    tenant_id: id,
    changes: { version: { before: null, after: 1 }, size: { before: null, after: 23 } },
  })
})

test('each tenant has its own versions, and the base template keeps its own', async () => {
  const [one, other] = [await makeId(), await makeId()]
  await save(one, 'First')
  await save(one, 'Second')
  await save(other, 'Theirs')
  expect((await versions(one)).map(({ version }: { version: number }) => version)).toEqual([2, 1])
  expect(await live(other)).toMatchObject([{ version: 1, template: 'Theirs' }])
  const base = (await admin.call({ method: 'GET', url })).json()
  expect(base).toMatchObject([{ version: 1, author_email: null }])
  const first = await admin.call({ method: 'GET', url: `${url}/general/versions/1?tenant_id=${one}` })
  expect(first.json()).toMatchObject({ version: 1, template: 'First' })
})

test('an old version is restored as a new one, and the live text is refused', async () => {
  const id = await makeId()
  await save(id, 'First')
  await save(id, 'Second')
  const answer = await restore(id, 1)
  expect([answer.statusCode, answer.json()]).toMatchObject([201, { version: 3, template: 'First', restored_from: 1 }])
  expect((await restore(id, 1)).statusCode).toBe(409)
  expect((await restore(id, 4)).statusCode).toBe(404)
})

test('an empty text removes an addendum, and its history remains', async () => {
  const id = await makeId()
  await save(id, 'First')
  const removed = await save(id, '', 1)
  expect([removed.statusCode, removed.json()]).toMatchObject([200, { version: 2, template: '', size: 0 }])
  expect((await restore(id, 1)).json()).toMatchObject({ version: 3, template: 'First' })
})

test('a stale version gets 412 with the live version, also for two first versions', async () => {
  const id = await makeId()
  const grace = await api.signIn('grace@example.com')
  await save(id, 'By Grace', 0, grace)
  const answer = await save(id, 'By Ada', 0)
  expect([answer.statusCode, answer.json().current]).toMatchObject([
    412,
    { version: 1, template: 'By Grace', author_email: 'grace@example.com' },
  ])
  const another = await makeId()
  const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => save(another, `At once ${n}`, 0)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 412)).toHaveLength(5)
  expect(await versions(another)).toHaveLength(1)
})

const refused: [string, string, string][] = [
  ['nothing', '', 'The template cannot be empty.'],
  ['a text of blanks', ' \n ', 'The template cannot be empty.'],
  ['one character too many', 'x'.repeat(50_001), 'Use at most 50000 characters.'],
  ['an invalid template', 'a\n {{ goal | shout }}', 'Line 2, column 2: undefined filter: shout.'],
]
test.for(refused)('%s is refused as a first version', async ([, template, sentence]) => {
  const id = await makeId()
  const answer = await save(id, template)
  expect([answer.statusCode, answer.json().detail]).toMatchObject([422, [{ loc: ['body', 'template'], msg: sentence }]])
  expect(await live(id)).toEqual([])
})

test('50,000 characters are stored', async () => {
  const id = await makeId()
  await save(id, 'x'.repeat(50_000))
  expect(await live(id)).toMatchObject([{ size: 50_000 }])
})

test('an unknown tenant, type or version is not found', async () => {
  const unknown = crypto.randomUUID()
  expect((await save(unknown, 'Text')).json()).toMatchObject({ detail: 'Tenant not found' })
  expect(await live(unknown)).toMatchObject({ detail: 'Tenant not found' })
  expect(await versions(unknown)).toMatchObject({ detail: 'Tenant not found' })
  const id = await makeId()
  const special = await admin.call({
    method: 'PUT',
    url: `${url}/special?tenant_id=${id}`,
    body: { template: 'Text' },
  })
  expect(special.json()).toMatchObject({ detail: 'Prompt template not found' })
  expect((await save(id, 'Text', 3)).json()).toMatchObject({ detail: 'Prompt version not found' })
})

test('versions are deleted with their tenant, and in no other way', async () => {
  const [id, kept] = [await makeId(), await makeId()]
  for (const each of [id, kept]) for (const text of ['First', 'Second']) await save(each, text)
  for (const statement of [
    sql`delete from prompt_versions`,
    sql`delete from prompt_templates where tenant_id is null`,
    sql`delete from prompt_templates where tenant_id is not null`,
    sql`update prompt_versions set note = 'x'`,
  ])
    await expect(statement.execute(db)).rejects.toThrow('append-only')
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from prompt_versions`.execute(db)
    return rows[0]?.count ?? 0
  }
  const before = await count()
  const answer = await admin.call({ method: 'DELETE', url: `/api/v1/admin/tenants/${id}` })
  expect([answer.statusCode, await count()]).toEqual([204, before - 2])
  expect(await live(kept)).toMatchObject([{ version: 2 }])
})
