import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'

const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const build = () => buildAiApi(testDeps({ db, directUrl: databaseUrl }))
const app = await build()
afterAll(async () => {
  await app.close()
  await drop()
})

const tenant = await makeTenant(db, { goal: 'book a table', tenant_type: 'service', aggressiveness: 2 })
const key = await makeApiKey(db, { tenant_id: tenant.id })
const other = await makeTenant(db)
const url = `/v1/prompts/general?tenant_id=${tenant.id}`
const get = (headers: Record<string, string> = {}, at = app, path = url) =>
  at.inject({ url: path, headers: { 'x-api-key': key.api_key, ...headers } })

/** Saves a version of the base template or of an addendum as admin-api does. */
async function publish(template: string, tenantId: string | null = null): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    with live as (
      update prompt_templates set version = version + 1 where tenant_id is not distinct from ${tenantId}::uuid
      returning id, version
    )
    insert into prompt_versions (template_id, version, template) select id, version, ${template} from live
    returning version`.execute(db)
  return rows[0]?.version ?? 0
}

async function makeAddendum(tenant_id: string, template: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('prompt_templates')
      .values({ prompt_type: 'general', tenant_id, version: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('prompt_versions')
      .values({ template_id: id, version: 1, template, author_id: null, author_email: null, restored_from: null })
      .execute()
  })
}

test('the live template comes rendered for the tenant, under either header', async () => {
  for (const headers of [{}, { 'x-api-key': '', authorization: `Bearer ${key.api_key}` }]) {
    const answer = await get(headers)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      prompt_type: 'general',
      version: 1,
      addendum_version: null,
      rendered_content: expect.stringContaining('Your goal in this conversation: book a table.'),
    })
    expect(answer.json().rendered_content).toContain('The business offers services.')
    expect(answer.json().rendered_content).toContain('Never press.')
    expect(answer.headers['cache-control']).toBe('private, no-cache')
  }
})

describe('the ETag', () => {
  test('is not sent again to a client with the current version', async () => {
    const { headers } = await get()
    for (const known of [headers['etag'], `W/${headers['etag']}`, `"x", ${headers['etag']}`, '*']) {
      const answer = await get({ 'if-none-match': String(known) })
      expect([answer.statusCode, answer.body, answer.headers['etag']]).toEqual([304, '', headers['etag']])
    }
    expect((await get({ 'if-none-match': '"x"' })).statusCode).toBe(200)
  })

  test('changes with the template and with the tenant’s values', async () => {
    const etag = async () => String((await get()).headers['etag'])
    const tags = [await etag()]
    await publish('Now: {{ goal }}')
    tags.push(await etag())
    await db.updateTable('tenants').set({ goal: 'order lunch' }).where('id', '=', tenant.id).execute()
    tags.push(await etag())
    expect(new Set(tags).size).toBe(3)
    expect((await get()).json().rendered_content).toBe('Now: order lunch')
  })
})

describe('an addendum', () => {
  test('follows the template, each rendered with the values of the tenant', async () => {
    await publish('You are the assistant of {{ tenant_name }}.\n{% assign goal = "x" %}')
    await makeAddendum(tenant.id, '{{ subdomain }}: {{ goal }}')
    await db.updateTable('tenants').set({ goal: 'order lunch' }).where('id', '=', tenant.id).execute()
    expect((await get()).json()).toMatchObject({
      addendum_version: 1,
      rendered_content: `You are the assistant of ${tenant.name}.\n\n${tenant.subdomain}: order lunch`,
    })
    const theirs = await makeApiKey(db, { tenant_id: other.id })
    const answer = await get({ 'x-api-key': theirs.api_key }, app, `/v1/prompts/general?tenant_id=${other.id}`)
    expect(answer.json()).toMatchObject({ addendum_version: null, rendered_content: expect.not.stringContaining(':') })
  })

  test('is rendered with the custom fields of the tenant', async () => {
    const fields = { plan: 'Gold {{ goal }}' }
    await db
      .updateTable('tenants')
      .set({ custom_fields: JSON.stringify(fields) })
      .where('id', '=', tenant.id)
      .execute()
    await publish('Plan: {{ plan }}', tenant.id)
    const before = await get()
    expect(before.json().rendered_content).toContain('Plan: Gold {{ goal }}')
    await db.updateTable('tenants').set({ custom_fields: '{}' }).where('id', '=', tenant.id).execute()
    expect((await get()).headers['etag']).not.toBe(before.headers['etag'])
  })

  test('changes the ETag, as its removal and a value of a variable do', async () => {
    const etag = async () => String((await get()).headers['etag'])
    const tags = [await etag()]
    for (const text of ['Call us {{ tenant_name }}.', 'Call us {{ tenant_name }}!', '']) {
      await publish(text, tenant.id)
      tags.push(await etag())
    }
    expect((await get()).json()).toMatchObject({ addendum_version: null })
    await publish('Again {{ tenant_name }}', tenant.id)
    tags.push(await etag())
    await db.updateTable('tenants').set({ name: 'Renamed' }).where('id', '=', tenant.id).execute()
    tags.push(await etag())
    await publish('Another base')
    tags.push(await etag())
    expect(new Set(tags).size).toBe(tags.length)
    expect((await get({ 'if-none-match': await etag() })).statusCode).toBe(304)
    await publish('', tenant.id)
  })
})

describe('is refused', () => {
  const cases: [string, number, () => ReturnType<typeof get>][] = [
    ['without a key', 401, () => get({ 'x-api-key': '' })],
    ['with an unknown key', 401, () => get({ 'x-api-key': 'sb_live_abcdefghijklmnopqrstuvwxyz01232LolCm' })],
    ['with a key in the address', 401, () => get({ 'x-api-key': '' }, app, `${url}&api_key=${key.api_key}`)],
    ['with the key of another tenant', 403, () => get({}, app, `/v1/prompts/general?tenant_id=${other.id}`)],
    ['for another template', 404, () => get({}, app, `/v1/prompts/special?tenant_id=${tenant.id}`)],
  ]
  test.for(cases)('%s', async ([name, status, call]) => {
    const answer = await call()
    // An unknown parameter is refused before the key is checked.
    expect(answer.statusCode).toBe(name === 'with a key in the address' ? 422 : status)
    expect(answer.body).not.toContain('rendered_content')
  })

  test('when the tenant is inactive or the key is disabled', async () => {
    const asleep = await makeTenant(db, { status: 'inactive' })
    const keys = [
      await makeApiKey(db, { tenant_id: asleep.id }),
      await makeApiKey(db, { tenant_id: tenant.id, is_active: false }),
    ]
    for (const { api_key, tenant_id } of keys) {
      const answer = await get({ 'x-api-key': api_key }, app, `/v1/prompts/general?tenant_id=${tenant_id}`)
      expect([answer.statusCode, answer.json().detail]).toEqual([401, 'Invalid API key'])
    }
  })
})

test('the text of a tenant is not a template', async () => {
  await publish('{{ goal }}')
  const goal = '{{ tenant_type }}{% include "x" %}'
  await db.updateTable('tenants').set({ goal }).where('id', '=', tenant.id).execute()
  expect((await get()).json().rendered_content).toBe(goal)
})

test('a template that fails for one tenant is a server error, without its text', async () => {
  await publish('{% if goal == "loop" %}{% for i in (1..99999999) %}x{% endfor %}{% endif %}secret words')
  await db.updateTable('tenants').set({ goal: 'loop' }).where('id', '=', tenant.id).execute()
  const answer = await get()
  expect([answer.statusCode, answer.json().detail]).toEqual([500, 'Internal error'])
  expect(answer.body).not.toContain('secret')
})
