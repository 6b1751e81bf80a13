import { makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/tenants'

const change = (id: string, body: object, version?: number) =>
  admin.call({
    method: 'PUT',
    url: `${url}/${id}`,
    body,
    ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
  })
const preview = async (body: object) =>
  (await admin.call({ method: 'POST', url: '/api/v1/admin/prompts/preview', body })).json()
const lastAudit = () =>
  db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()

test('tags and custom fields are replaced as a whole, audited, and grow the version', async () => {
  const { id } = await makeTenant(db)
  const answer = await change(id, { tags: ['pilot', 'tier-1'], custom_fields: { plan: 'Gold', owner: 'Mei' } }, 1)
  expect(answer.json()).toMatchObject({
    tags: ['pilot', 'tier-1'],
    custom_fields: { plan: 'Gold', owner: 'Mei' },
    version: 2,
  })
  const next = await change(id, { custom_fields: { plan: 'Silver' } }, 2)
  expect(next.json()).toMatchObject({ tags: ['pilot', 'tier-1'], custom_fields: { plan: 'Silver' }, version: 3 })
  expect(await lastAudit()).toMatchObject({
    action: 'tenants.update',
    target_id: id,
    changes: { custom_fields: { before: { plan: 'Gold', owner: 'Mei' }, after: { plan: 'Silver' } } },
  })
  // Saving the same values is not a change.
  expect((await change(id, { tags: ['pilot', 'tier-1'], custom_fields: { plan: 'Silver' } })).json().version).toBe(3)
  const stale = await change(id, { tags: [] }, 2)
  expect([stale.statusCode, stale.json().current]).toMatchObject([412, { version: 3, tags: ['pilot', 'tier-1'] }])
})

const refused: [string, object, string][] = [
  ['21 tags', { tags: Array.from({ length: 21 }, (_, n) => `tag-${n}`) }, 'A tenant can have 20 tags.'],
  [
    'a tag with a blank',
    { tags: ['two words'] },
    'A tag has letters, digits, "-", "_" and ".", and begins with a letter or a digit.',
  ],
  ['a variable', { custom_fields: { tenant_name: 'x' } }, '"tenant_name" is a variable or a word of templates.'],
  ['a long value', { custom_fields: { plan: 'x'.repeat(501) } }, 'Use at most 500 characters.'],
]
test.for(refused)('%s is refused', async ([, body, sentence]) => {
  const { id } = await makeTenant(db)
  const answer = await change(id, body)
  expect([answer.statusCode, answer.body.replaceAll('\\', '')]).toEqual([422, expect.stringContaining(sentence)])
})

test('a tag filters the list and its export, and all tags are listed by name', async () => {
  const tagged = await makeTenant(db, { tags: ['harbor', 'zinc'], custom_fields: '{"plan":"Gold"}' })
  await makeTenant(db, { tags: ['harbour'] })
  const list = await admin.call({ method: 'GET', url: `${url}?tag=harbor&limit=10` })
  expect([list.headers['x-total-count'], list.json()]).toMatchObject(['1', [{ id: tagged.id }]])
  const file = await admin.call({ method: 'POST', url: `${url}/export?tag=harbor` })
  expect(file.body).toContain('harbor zinc,"{""plan"":""Gold""}"')
  const { tags } = (await admin.call({ method: 'GET', url: `${url}/tags` })).json()
  expect(tags.filter((tag: string) => ['harbor', 'harbour', 'zinc'].includes(tag))).toEqual([
    'harbor',
    'harbour',
    'zinc',
  ])
})

test('custom fields are variables of the prompt', async () => {
  const tenant = await makeTenant(db, { custom_fields: JSON.stringify({ opening_hours: '9 to 5' }) })
  const template = '{{ opening_hours }} {{ opening_hour }}'
  expect(await preview({ template, tenant_id: tenant.id })).toMatchObject({
    rendered_content: '9 to 5 ',
    variables: { custom_fields: { opening_hours: '9 to 5' } },
    unknown_variables: [{ name: 'opening_hour' }],
  })
  // Without a tenant there is no value, but the name is not reported as unknown.
  expect(await preview({ template })).toMatchObject({
    rendered_content: ' ',
    unknown_variables: [{ name: 'opening_hour' }],
  })
  const other = await makeTenant(db)
  expect((await preview({ template, tenant_id: other.id })).unknown_variables).toHaveLength(2)
})
