import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { LINK_REFUSED } from '@switchboard/contract/links'
import { SCOPE_PRESETS } from '@switchboard/contract/tokens/scopes'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { signatureOf } from '@switchboard/server/webhooks/webhook-signature'
import { EXAMPLES, runExample } from '@switchboard/testing/example-process'
import { makeApiKey, makeTenant, makeUser, makeUserInvitation } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { makeToken } from '@switchboard/testing/token-factory'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { dataFolder, SHARED_SECRET, startAiApi, startProcess } from '#tests/server-process.ts'

// The examples of the documents against real servers, with the stand-in for a model.

const { default: worker } = await import(path.join(EXAMPLES, 'worker/worker.js'))
const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const PASSWORD = 'what the page says is true'
const server = { DATABASE_URL: databaseUrl, WEBHOOK_SECRET: SHARED_SECRET, SUPER_ADMIN_PASSWORD: PASSWORD }
const [adminApi, aiApi] = [startProcess(server, 'apps/admin-api/src/main.ts'), startAiApi({ databaseUrl })]
afterAll(async () => {
  for (const { child, ended } of [adminApi, aiApi]) {
    child.kill('SIGTERM')
    await ended
  }
  await drop()
})

const tenant = await makeTenant(db, { goal: 'book a table' })
const { api_key } = await makeApiKey(db, { tenant_id: tenant.id })
const maker = await makeUser(db)
const { token } = await makeToken(db, { created_by_id: maker.id, scopes: [...SCOPE_PRESETS.runtime] })
const billing = await makeToken(db, { created_by_id: maker.id, scopes: [...SCOPE_PRESETS.billing] })

/** Runs an example until the end of the test and returns its address. */
async function startExample(file: string, settings: Record<string, string> = {}): Promise<string> {
  const { child, ready } = runExample(file, settings)
  onTestFinished(() => void child.kill())
  return await ready
}

test('the runtime in one file answers each tenant with its prompt, and refuses an unknown key', async () => {
  const [AI_API_URL, MODEL_URL] = await Promise.all([aiApi.ready(), startExample('runtime/stand-in-model.mjs')])
  const address = await startExample('runtime/runtime.mjs', { AI_API_URL, MODEL_URL, SWITCHBOARD_TOKEN: token })
  const send = async (key: string) => {
    const body = JSON.stringify({ message: 'A table for two?' })
    const answer = await fetch(address, { method: 'POST', headers: { 'x-api-key': key }, body })
    return [answer.status, await answer.json()]
  }
  const reply = expect.stringMatching(/You said: A table for two\?[^]*Your goal in this conversation: book a table\./)
  expect(await send(api_key)).toEqual([200, { reply }])
  const other = await makeTenant(db, { goal: 'sell shoes' })
  const theirs = expect.stringContaining('Your goal in this conversation: sell shoes.')
  expect(await send((await makeApiKey(db, { tenant_id: other.id })).api_key)).toEqual([200, { reply: theirs }])
  expect(await send('none')).toEqual([401, { detail: 'Invalid API key' }])
})

test('the worker answers with the prompt of the tenant, also to browsers', async () => {
  const [AI_API_URL, MODEL_URL] = await Promise.all([aiApi.ready(), startExample('runtime/stand-in-model.mjs')])
  const env = { AI_API_URL, MODEL_URL, MODEL: 'stand-in', MODEL_KEY: '', SWITCHBOARD_TOKEN: token }
  const send = async (init: RequestInit) =>
    await worker.fetch(new Request('https://assistants.example/', init), env, { waitUntil: () => {} })
  const body = JSON.stringify({ message: 'A table for two?' })
  const answer = await send({ method: 'POST', headers: { 'x-api-key': api_key }, body })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  expect(await answer.text()).toContain('Your goal in this conversation: book a table.')
  const refusal = await send({ method: 'POST', body })
  expect([refusal.status, refusal.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
  expect((await send({ method: 'OPTIONS' })).status).toBe(204)
})

describe('the webhook of billing', () => {
  const STRIPE_WEBHOOK_SECRET = 'whsec_of_a_test'
  const customer = 'cus_NffrFeUfNV2Hib'
  const completed = eventOf('checkout.session.completed', {
    customer,
    customer_details: { email: 'owner@stripe-bakery.example', name: 'Stripe Bakery' },
    metadata: { subdomain: 'stripe-bakery' },
  })
  const tenants = async () => await db.selectFrom('tenants').selectAll().where('external_id', '=', customer).execute()
  let address = ''

  beforeAll(async () => {
    const SWITCHBOARD_URL = await adminApi.ready()
    const webhook = runExample('billing-webhook/billing-webhook.mjs', {
      SWITCHBOARD_URL,
      SWITCHBOARD_TOKEN: billing.token,
      STRIPE_WEBHOOK_SECRET,
    })
    address = await webhook.ready
    return () => webhook.child.kill()
  })

  function eventOf(type: string, object: object): string {
    return JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
  }
  const signed = (body: string, secret = STRIPE_WEBHOOK_SECRET, ageSeconds = 0) => {
    const time = Math.floor(Date.now() / 1_000) - ageSeconds
    return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')},v0=other`
  }
  const send = async (body: string, signature = signed(body)) =>
    (await fetch(address, { method: 'POST', headers: { 'stripe-signature': signature }, body })).status

  test('makes a tenant and a user of a new customer, however often Stripe sends the event', async () => {
    expect([await send(completed), await send(completed)]).toEqual([200, 200])
    const [made, ...others] = await tenants()
    expect([made, others]).toMatchObject([{ name: 'Stripe Bakery', subdomain: 'stripe-bakery', tags: ['stripe'] }, []])
    const users = await db
      .selectFrom('users')
      .innerJoin('links', 'links.user_id', 'users.id')
      .select(['users.email', 'users.role', 'external_id', 'kind', 'portal_url'])
      .where('tenant_id', '=', made?.id ?? '')
      .execute()
    expect(users).toEqual([
      {
        email: 'owner@stripe-bakery.example',
        role: 'admin',
        external_id: customer,
        kind: 'user_invitation',
        portal_url: 'https://stripe-bakery.switchboard.example',
      },
    ])
  })

  test('suspends and reactivates the tenant of a customer', async () => {
    expect(await send(completed)).toBe(200)
    expect(await send(eventOf('customer.subscription.deleted', { customer }))).toBe(200)
    expect(await tenants()).toMatchObject([{ status: 'inactive', suspension_reason: 'The subscription has ended' }])
    expect(await send(eventOf('customer.subscription.resumed', { customer }))).toBe(200)
    expect(await tenants()).toMatchObject([{ status: 'active' }])
  })

  test.for([
    ['without a signature', ''],
    ['with the signature of another secret', signed(completed, 'whsec_other')],
    ['with the signature of another body', signed('{}')],
    ['with an old signature', signed(completed, STRIPE_WEBHOOK_SECRET, 600)],
    ['with nonsense', 't=x,v1=zz'],
  ])('refuses an event %s', async ([, signature]) => {
    expect(await send(completed, signature)).toBe(400)
  })
})

describe('a receiver of webhooks', () => {
  const SWITCHBOARD_WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = JSON.stringify({ id: 'evt_7', type: 'tenant.created', target: { name: 'Harbor Dental' } })
  type Init = { method: string; headers: Record<string, string>; body: string }

  function signed(secret = SWITCHBOARD_WEBHOOK_SECRET, ageSeconds = 0): Init {
    const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds)
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'evt_7',
      'webhook-timestamp': timestamp,
      'webhook-signature': `${signatureOf('whsec_b3RoZXI=', { id: 'evt_7', timestamp, body })} ${signatureOf(secret, { id: 'evt_7', timestamp, body })}`,
    }
    return { method: 'POST', headers, body }
  }

  const receivers: [string, () => Promise<(init: Init) => Promise<number>>][] = [
    ...['express', 'fastify'].map((name): (typeof receivers)[number] => [
      name,
      async () => {
        const address = await startExample(`webhook-receiver/${name}.mjs`, { SWITCHBOARD_WEBHOOK_SECRET })
        return async (init) => (await fetch(address, init)).status
      },
    ]),
    [
      'worker',
      async () => {
        const { default: receiver } = await import(path.join(EXAMPLES, 'webhook-receiver/worker.js'))
        const env = { SWITCHBOARD_WEBHOOK_SECRET, EVENTS: { send: async () => undefined } }
        const ctx = { waitUntil: (work: Promise<void>) => void work }
        return async (init) => (await receiver.fetch(new Request('https://receiver.example/', init), env, ctx)).status
      },
    ],
  ]

  test.for(receivers)('with %s takes only what is signed and recent', async ([, start]) => {
    const send = await start()
    expect([await send(signed()), await send(signed())]).toEqual([204, 204])
    expect(await send(signed('whsec_d3Jvbmc='))).toBe(400)
    expect(await send(signed(SWITCHBOARD_WEBHOOK_SECRET, 600))).toBe(400)
    expect(await send({ ...signed(), body: body.replace('Dental', 'Mental') })).toBe(400)
    expect(await send({ method: 'POST', headers: { 'content-type': 'application/json' }, body })).toBe(400)
  })
})

test('the functions of the page on Python make their calls', async ({ skip }) => {
  const python = ['python3', '/usr/bin/python3'].find(
    (command) => spawnSync(command, ['-c', 'import httpx']).status === 0,
  )
  if (python === undefined) return skip('Python with httpx is not installed')
  const [SWITCHBOARD_URL, AI_API_URL] = await Promise.all([adminApi.ready(), aiApi.ready()])
  const password_hash = await (await createPasswords()).hash(PASSWORD)
  const user = await makeUser(db, { role: 'manager', tenant_id: tenant.id, password_hash })
  const invited = await makeUser(db, { role: 'manager', tenant_id: tenant.id })
  await makeUserInvitation(db, invited, 'the-token-of-the-link')

  const folder = dataFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const page = readFileSync(path.join(EXAMPLES, '../python.md'), 'utf8')
  const blocks = [...page.matchAll(/^```python\n([^]*?)^```$/gm)].map(([, block = '']) => block)
  writeFileSync(path.join(folder, 'page.py'), blocks.join('\n\n'))
  writeFileSync(path.join(folder, 'use.py'), PYTHON)
  const args = ['use.py', api_key, tenant.id, user.email, PASSWORD, 'the-token-of-the-link']
  const tokens = { SWITCHBOARD_TOKEN: billing.token, AI_API_TOKEN: token }
  const env = { ...process.env, ...tokens, SWITCHBOARD_URL, AI_API_URL }
  const results = JSON.parse(execFileSync(python, args, { cwd: folder, env, encoding: 'utf8' }))
  const text = expect.stringContaining('Your goal in this conversation: book a table.')
  expect(results).toEqual({
    keys: [tenant.id, null],
    prompts: [text, text],
    users: [
      user.id,
      [null, 'Invalid email or password'],
      [null, 'This password is too common or too easy to guess. Use several unrelated words.'],
      user.id,
      invited.id,
      [null, LINK_REFUSED],
    ],
    are_same: true,
    names: expect.arrayContaining([tenant.name, 'Python Bakery']),
  })
})

const PYTHON = `
import json
import sys

from page import accept_invitation, all_tenants, change_password, check_key, create_tenant, prompt, verify_user

key, tenant_id, email, password, token = sys.argv[1:]
address = "203.0.113.7"
new = "kettles under a plum tree"
made = [create_tenant("Python Bakery", "python-bakery", "order-1") for _ in range(2)]
results = {
    "keys": [check_key(key)["tenant_id"], check_key("none")],
    "prompts": [prompt(tenant_id), prompt(tenant_id)],
    "users": [
        verify_user(tenant_id, email, password, address)[0]["id"],
        verify_user(tenant_id, email, "wrong", address),
        change_password(tenant_id, email, password, "password1", address),
        change_password(tenant_id, email, password, new, address)[0]["id"],
        accept_invitation(tenant_id, token, new, address)[0]["id"],
        accept_invitation(tenant_id, token, new, address),
    ],
    "are_same": made[0] == made[1],
    "names": [tenant["name"] for tenant in all_tenants()],
}
print(json.dumps(results))
`
