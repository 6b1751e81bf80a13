import { NO_CONTROL_CHARACTERS, ONE_LINE } from '@switchboard/contract/wire/text'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { importCalls } from '#src/testing/import-calls.ts'
import { startTestApi } from '#src/testing/test-api.ts'

// The rule for names holds for every noun, because lists, mails and confirmations show them.

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')
const tenant = await makeTenant(db)
const key = await makeApiKey(db, { tenant_id: tenant.id })
const url = '/api/v1/admin'
const place = { place_id: 'ChIJ1234567890abcdef' }

type Send = (text: string) => Parameters<typeof admin.call>[0]
const NAMES: [noun: string, field: string, missing: string, send: Send][] = [
  [
    'tenant',
    'name',
    'Tenant name is required',
    (name) => ({ method: 'POST', url: `${url}/tenants`, body: { name, subdomain: 'unseen', tenant_type: 'product' } }),
  ],
  [
    'changed tenant',
    'name',
    'Tenant name is required',
    (name) => ({ method: 'PUT', url: `${url}/tenants/${tenant.id}`, body: { name } }),
  ],
  [
    'changed key',
    'name',
    'Key name is required',
    (name) => ({ method: 'PATCH', url: `${url}/api-keys/${key.id}`, body: { name } }),
  ],
  [
    'service token',
    'name',
    'A token needs a name.',
    (name) => ({ method: 'POST', url: `${url}/tokens`, body: { name, scopes: ['read'] } }),
  ],
  [
    'suspension',
    'suspension_reason',
    'A reason has at least one character.',
    (suspension_reason) => ({
      method: 'PUT',
      url: `${url}/tenants/${tenant.id}`,
      body: { status: 'inactive', suspension_reason },
    }),
  ],
  [
    'place to look up',
    'tenant_name',
    'Tenant Business Name, City, and Country are required.',
    (tenant_name) => ({
      method: 'POST',
      url: `${url}/google/places/id/generate`,
      body: { tenant_name, city: 'Austin', country: 'United States' },
    }),
  ],
]

describe.each(NAMES)('the name of a %s', (_noun, field, missing, send) => {
  test.each([
    ['a zero width space', '\u200b', missing],
    ['a Hangul filler', '\u3164', missing],
    ['a blank braille pattern', '\u2800', missing],
    ['a line break', 'Example\nBakery', ONE_LINE],
    ['a line separator', 'Example\u2028Bakery', ONE_LINE],
    ['a tab', 'Example\tBakery', NO_CONTROL_CHARACTERS],
    ['an override of the direction', 'Example \u202eyrekaB', NO_CONTROL_CHARACTERS],
  ])('is refused with %s', async (_what, text, message) => {
    const refused = await admin.call(send(text))
    expect([refused.statusCode, refused.json().detail]).toMatchObject([422, [{ loc: ['body', field], msg: message }]])
  })
})

test.each([
  ['the name of a key', 'api-keys', { tenant_id: tenant.id, name: 'a\nb' }, ['body', 'name']],
  [
    'the value of a custom field',
    `tenants/${tenant.id}`,
    { custom_fields: { plan: 'a\u202eb' } },
    ['body', 'custom_fields', 'plan'],
  ],
  ['the note of a template', 'prompts/templates/general', { template: 'x', note: 'a\rb' }, ['body', 'note']],
  [
    'the name of a place',
    'tasks/schedule',
    {
      tenant_id: tenant.id,
      schedule_name: 'pull_google_review',
      frequency: 'daily',
      extra_data: { ...place, place_name: 'a\u2069b' },
    },
    ['body', 'extra_data', 'place_name'],
  ],
] as const)('%s is on one line', async (_what, path, body, loc) => {
  const method = /^(tenants|prompts)\//.test(path) ? 'PUT' : 'POST'
  const refused = await admin.call({ method, url: `${url}/${path}`, body })
  expect([refused.statusCode, refused.json().detail]).toMatchObject([422, [{ loc }]])
})

test('a key with an invisible name gets the default name', async () => {
  const body = { tenant_id: tenant.id, name: '\u2060', description: 'Two\nlines' }
  const made = await admin.call({ method: 'POST', url: `${url}/api-keys`, body })
  expect(made.json()).toMatchObject({ name: `API Key for ${tenant.name}`, description: 'Two\nlines' })
})

test('a tag of invisible characters is refused', async () => {
  const refused = await admin.call({ method: 'PUT', url: `${url}/tenants/${tenant.id}`, body: { tags: ['\u3164'] } })
  expect(refused.json().detail).toMatchObject([{ msg: 'A tag needs a visible character.' }])
})

test('a note may have several lines, but is refused without a visible character', async () => {
  const note = (text: string) =>
    admin.call({ method: 'POST', url: `${url}/tenants/${tenant.id}/notes`, body: { text } })
  expect((await note('One\nTwo')).json()).toMatchObject({ text: 'One\nTwo' })
  expect((await note('\u200b\n\u2800')).json().detail).toMatchObject([{ msg: 'A note needs text.' }])
})

test('an imported row is refused only because of its name', async () => {
  const { imported } = importCalls(admin)
  const row = { subdomain: 'imported', tenant_type: 'product' }
  expect(
    await imported('tenants', [
      { ...row, name: 'Example\u202e' },
      { ...row, name: '\u200b' },
      { ...row, name: 'مرحبا\u200e بالعالم' },
    ]),
  ).toEqual([
    { outcome: 'refused', problems: [{ column: 'name', message: NO_CONTROL_CHARACTERS }] },
    { outcome: 'refused', problems: [{ column: 'name', message: 'Tenant name is required' }] },
    { outcome: 'created', problems: [] },
  ])
})

test('a search accepts pasted text and ignores its invisible characters', async () => {
  await makeTenant(db, { name: 'Harbor Dental' })
  for (const q of ['\u202aHarbor Dental\u202c', 'Harbor\tDental', '\nHarbor\r\n']) {
    const query = new URLSearchParams({ q }).toString()
    const found = await admin.call({ method: 'GET', url: `${url}/tenants?${query}` })
    expect(found.json()).toMatchObject([{ name: 'Harbor Dental' }])
  }
})
