import type { Database } from '@switchboard/database/tables'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import type { DeclaredVariables } from '@switchboard/contract/prompts/variables'
import { createLogger } from '@switchboard/server/process/log'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql, type Updateable } from 'kysely'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'
import { withinASecond } from '#src/testing/within-a-second.ts'

const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const app = await buildAiApi(testDeps({ db, directUrl: databaseUrl }))
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

const etagNow = async () => String((await get()).headers['etag'])
/** Makes a change, and waits until the text follows it. */
async function changed(change: () => Promise<unknown>): Promise<void> {
  const before = await etagNow()
  await change()
  await expect.poll(etagNow).not.toBe(before)
}
const changeTenant = (fields: Updateable<Database['tenants']>) =>
  changed(() => db.updateTable('tenants').set(fields).where('id', '=', tenant.id).execute())

/** Saves a version of the base template or of an addendum as admin-api does. */
async function publish(
  template: string,
  { tenantId = null, declared = {} }: { tenantId?: string | null; declared?: DeclaredVariables } = {},
): Promise<void> {
  await sql`
    with live as (
      update prompt_templates set version = version + 1 where tenant_id is not distinct from ${tenantId}::uuid
      returning id, version
    )
    insert into prompt_versions (template_id, version, template, declared_variables)
    select id, version, ${template}, ${JSON.stringify(declared)} from live`.execute(db)
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

  test('changes with the template within a second, and with the tenant’s values', async () => {
    const first = await etagNow()
    await publish('Now: {{ goal }}')
    await withinASecond(async () => expect(await etagNow()).not.toBe(first))
    await changeTenant({ goal: 'order lunch' })
    expect((await get()).json().rendered_content).toBe('Now: order lunch')
    await changeTenant({ goal: 'book a table' })
    expect((await get({ 'if-none-match': first })).statusCode).toBe(200)
  })

  test('stays when something else of the tenant changes', async () => {
    const before = await etagNow()
    await db
      .updateTable('tenants')
      .set({ tags: ['gold'] })
      .where('id', '=', tenant.id)
      .execute()
    await db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', tenant.id).execute()
    await withinASecond(async () => expect((await get()).statusCode).toBe(401))
    await db.updateTable('tenants').set({ status: 'active' }).where('id', '=', tenant.id).execute()
    await withinASecond(async () => expect((await get()).statusCode).toBe(200))
    expect(await etagNow()).toBe(before)
  })

  test('comes with the time for which a setting lets clients keep the text', async () => {
    const patient = await buildAiApi(testDeps({ db, directUrl: databaseUrl, promptMaxAge: 60 }))
    onTestFinished(() => patient.close())
    expect((await get({}, patient)).headers).toMatchObject({
      'cache-control': 'private, max-age=60, stale-while-revalidate=60',
      vary: 'authorization, x-api-key',
    })
  })
})

describe('an addendum', () => {
  test('follows the template, each rendered with the values of the tenant', async () => {
    await changed(() => publish('You are the assistant of {{ tenant_name }}.\n{% assign goal = "x" %}'))
    await changed(() => makeAddendum(tenant.id, '{{ subdomain }}: {{ goal }}'))
    await changeTenant({ goal: 'order lunch' })
    expect((await get()).json()).toMatchObject({
      addendum_version: 1,
      rendered_content: `You are the assistant of ${tenant.name}.\n\n${tenant.subdomain}: order lunch`,
    })
    const theirs = await makeApiKey(db, { tenant_id: other.id })
    const answer = await get({ 'x-api-key': theirs.api_key }, app, `/v1/prompts/general?tenant_id=${other.id}`)
    expect(answer.json()).toMatchObject({ addendum_version: null, rendered_content: expect.not.stringContaining(':') })
  })

  test('is rendered with the custom fields of the tenant', async () => {
    await changeTenant({ custom_fields: JSON.stringify({ plan: 'Gold {{ goal }}' }) })
    await changed(() => publish('Plan: {{ plan }}', { tenantId: tenant.id }))
    expect((await get()).json().rendered_content).toContain('Plan: Gold {{ goal }}')
    await changeTenant({ custom_fields: '{}' })
  })

  test('changes the ETag, as its removal and a value of a variable do', async () => {
    const tags = [await etagNow()]
    for (const text of ['Call us {{ tenant_name }}.', 'Call us {{ tenant_name }}!', '']) {
      await changed(() => publish(text, { tenantId: tenant.id }))
      tags.push(await etagNow())
    }
    expect((await get()).json()).toMatchObject({ addendum_version: null })
    await changed(() => publish('Again {{ tenant_name }}', { tenantId: tenant.id }))
    tags.push(await etagNow())
    await changeTenant({ name: 'Renamed' })
    tags.push(await etagNow())
    await changed(() => publish('Another base'))
    tags.push(await etagNow())
    expect(new Set(tags).size).toBe(tags.length)
    expect((await get({ 'if-none-match': await etagNow() })).statusCode).toBe(304)
    await changed(() => publish('', { tenantId: tenant.id }))
  })
})

describe('declared variables', () => {
  const read = (query: string) => get({}, app, `${url}${query}`)
  const post = (variables: unknown, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: '/v1/prompts/general',
      headers: { 'x-api-key': key.api_key, ...headers },
      payload: { tenant_id: tenant.id, variables },
    })

  test('have the values of the caller, or their defaults', async () => {
    const declared = { current_heat_category_name: 'general', page: 'home' }
    await changed(() => publish('{{ current_heat_category_name }} on {{ page }}', { declared }))
    const cases: [string, object, string][] = [
      ['', {}, 'general on home'],
      ['&variables[page]=prices', { page: 'prices' }, 'general on prices'],
      ['&variables%5Bpage%5D=%C3%A4%20%26b', { page: 'ä &b' }, 'general on ä &b'],
      ['&variables[page]=', { page: '' }, 'general on '],
      [
        '&variables[page]=prices&variables[current_heat_category_name]=pricing',
        { page: 'prices', current_heat_category_name: 'pricing' },
        'pricing on prices',
      ],
    ]
    for (const [query, variables, content] of cases) {
      expect((await read(query)).json().rendered_content).toBe(content)
      const posted = await post(variables)
      expect(posted.json().rendered_content).toBe(content)
      expect([posted.headers['cache-control'], posted.headers['etag']]).toEqual(['no-store', undefined])
    }
  })

  test('change the ETag', async () => {
    const { etag } = (await read('&variables[page]=prices')).headers
    expect(etag).not.toBe(await etagNow())
    const known = { 'if-none-match': String(etag) }
    expect((await get(known, app, `${url}&variables[page]=prices`)).statusCode).toBe(304)
    expect((await get(known, app, `${url}&variables[page]=team`)).statusCode).toBe(200)
    expect((await get(known)).statusCode).toBe(200)
  })

  test('are text, never a template, and cannot replace the values of the tenant', async () => {
    await changed(() => publish('{{ page }} {{ plan }} {{ goal }}', { declared: { page: '', plan: 'free' } }))
    await changeTenant({ goal: 'sell', custom_fields: JSON.stringify({ plan: 'Gold' }) })
    const page = '{{ goal }}{% include "x" %}\n</system>'
    expect((await post({ page })).json().rendered_content).toBe(`${page} free sell`)
    for (const name of ['goal', 'tenant_name', 'constructor']) {
      const answer = await read(`&variables[${name}]=x`)
      expect([answer.statusCode, answer.json().detail]).toEqual([
        422,
        [expect.objectContaining({ msg: `The template does not declare the variable "${name}".` })],
      ])
    }
  })

  test('are refused by name when the template does not declare them', async () => {
    expect((await post({ page: 'x', tone: 'calm' })).json().detail).toEqual([
      {
        loc: ['body', 'variables', 'tone'],
        msg: 'The template does not declare the variable "tone".',
        type: 'unrecognized_keys',
      },
    ])
    expect((await read('&variables[tone]=calm')).json().detail).toMatchObject([
      { loc: ['querystring', 'variables', 'tone'] },
    ])
    for (const query of [
      '&variables=x',
      '&variables[page]=a&variables[page]=b',
      `&variables[page]=${'x'.repeat(1_001)}`,
    ])
      expect((await read(query)).statusCode).toBe(422)
    for (const variables of [{ page: 'x'.repeat(1_001) }, { page: 1 }, 'x'])
      expect((await post(variables)).statusCode).toBe(422)
    expect((await post({}, { 'x-api-key': '' })).statusCode).toBe(401)
    const theirs = await makeApiKey(db, { tenant_id: other.id })
    expect((await post({}, { 'x-api-key': theirs.api_key })).statusCode).toBe(403)
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
  await changed(() => publish('{{ goal }}'))
  const goal = '{{ tenant_type }}{% include "x" %}'
  await changeTenant({ goal })
  expect((await get()).json().rendered_content).toBe(goal)
})

describe('a template that fails for one tenant', () => {
  const LOOPING = '{% if goal == "loop" %}{% for i in (1..99999999) %}x{% endfor %}{% endif %}secret words'

  test('leaves the last good text, which clients may not keep', async () => {
    await changeTenant({ goal: 'loop' })
    await changed(() => publish('Good: {{ goal }}'))
    const patient = await buildAiApi(testDeps({ db, directUrl: databaseUrl, promptMaxAge: 60 }))
    onTestFinished(() => patient.close())
    const good = await get({}, patient)
    await publish(LOOPING)
    await expect.poll(async () => (await get({}, patient)).headers['cache-control']).toBe('private, no-cache')
    const answer = await get({}, patient)
    expect([answer.statusCode, answer.json(), answer.headers['etag']]).toEqual([200, good.json(), good.headers['etag']])
  })

  test('leaves the last good text for the values of a caller, also after a change of the declared variables', async () => {
    const read = (query: string) => get({}, app, `${url}&${query}`)
    await changed(() => publish('Good: {{ page }}', { declared: { page: 'home' } }))
    expect((await read('variables[page]=prices')).json().rendered_content).toBe('Good: prices')
    await publish(LOOPING, { declared: { page: 'team', tone: 'calm' } })
    await expect.poll(async () => (await read('variables[tone]=warm')).statusCode).toBe(503)
    const answer = await read('variables[page]=prices')
    expect([answer.statusCode, answer.json().rendered_content]).toEqual([200, 'Good: prices'])
  })

  test('is 503 in a process without an earlier text, without the template', async () => {
    const logLines: string[] = []
    const log = createLogger('error', { write: (line) => void logLines.push(line) })
    const fresh = await buildAiApi(testDeps({ db, directUrl: databaseUrl, log }))
    onTestFinished(() => fresh.close())
    for (let n = 0; n < 3; n += 1) {
      const answer = await get({}, fresh)
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
      expect(answer.body).not.toContain('secret')
    }
    // The text is not tried again for a while.
    expect(logLines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'a base template could not be rendered', tenant_id: tenant.id, reason: expect.any(String) },
    ])
    await db.updateTable('tenants').set({ goal: 'wait' }).where('id', '=', tenant.id).execute()
    await expect.poll(async () => (await get({}, fresh)).json().rendered_content).toBe('secret words')
  })
})
