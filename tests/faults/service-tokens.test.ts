import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { SCOPE_PRESETS, TOKEN_REFUSED } from '@switchboard/contract/tokens/scopes'
import { createSwitchboardClient, dataOf, eventsOf, type Schemas, SwitchboardError } from '@switchboard/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataFolder, startProcess } from '#tests/server-process.ts'

// Programs with service tokens against the whole product: the example of the documents, the typed client, and a list of calls.

const EXAMPLE = path.resolve(import.meta.dirname, '../../docs/examples/onboard-tenant/onboard-tenant.ts')
const DATA_DIR = dataFolder()
const admin = { email: 'ada@switchboard.example', password: 'four kettles under plum' }
const server = startProcess({ DATA_DIR, SUPER_ADMIN_EMAIL: admin.email, SUPER_ADMIN_PASSWORD: admin.password })
let url = ''
let session = ''
let token = ''

beforeAll(async () => {
  url = await server.ready()
  const { access_token } = await dataOf(clientWith('').POST('/api/v1/admin/auth/login', { body: admin }))
  const body = { name: 'Billing', scopes: [...SCOPE_PRESETS.support] }
  session = access_token
  token = (await dataOf(clientWith(access_token).POST('/api/v1/admin/tokens', { body }))).token
})
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.ended
  rmSync(DATA_DIR, { recursive: true, force: true })
})

const clientWith = (bearer: string) => createSwitchboardClient({ url, token: bearer })
const send = async (method: string, where: string, body?: object) =>
  await fetch(`${url}/api/v1/admin${where}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })

test('the example has less than 60 lines and onboards a tenant, with the same answers when it runs again', async () => {
  expect(readFileSync(EXAMPLE, 'utf8').split('\n').length - 1).toBeLessThan(60)
  const env = { ...process.env, SWITCHBOARD_URL: url, SWITCHBOARD_TOKEN: token }
  const run = async () => JSON.parse((await promisify(execFile)(process.execPath, [EXAMPLE], { env })).stdout)
  const made = await run()
  expect(await run()).toEqual(made)
  const client = clientWith(token)
  const tenants = await dataOf(client.GET('/api/v1/admin/tenants', { params: { query: { q: 'Harbor Dental' } } }))
  expect(tenants.map(({ id, subdomain }) => [id, subdomain])).toEqual([[made.tenant, 'harbor-dental']])
  expect(made.api_key).toMatch(/^sb_live_/)
  const params = { query: { external_id: 'cus_NffrFeUfNV2Hib' } }
  const users = await dataOf(client.GET('/api/v1/admin/tenant-admins', { params }))
  expect(users).toMatchObject([{ id: made.user, has_password: false, invitation: { mail_state: null } }])
  expect(made.invitation_link).toMatch(/^https:\/\/harbor-dental\.switchboard\.example\/invitation#/)
  const [task] = await dataOf(client.GET('/api/v1/admin/tasks', {}))
  expect(task).toMatchObject({ id: made.task, tenant_id: made.tenant, frequency: 'weekly' })
})

test('the client follows the events of some types, goes on from a position, and ends with its signal', async () => {
  const client = clientWith(session)
  const create = async (name: string) => {
    const body = { name, subdomain: name.toLowerCase(), tenant_type: 'product' as const }
    return await dataOf(client.POST('/api/v1/admin/tenants', { body }))
  }
  const follow = (options: Parameters<typeof eventsOf>[1]) => {
    const type: Schemas['Event']['type'][] = ['tenant.suspended', 'tenant.created']
    return eventsOf((page) => client.GET('/api/v1/admin/events', { params: { query: { ...page, type } } }), options)
  }
  // Earlier changes become events within a second. The event of a new tenant is after all of them.
  const marker = await create('Egret')
  const untilMarker = follow({ after: 0, everyMs: 50 })
  const after = await seqOf(untilMarker, marker.id)
  const stopping = new AbortController()
  const arriving = Array.fromAsync(take(2, follow({ after, everyMs: 50, signal: stopping.signal })))
  const { id } = await create('Heron')
  await dataOf(client.PUT('/api/v1/admin/tenants/{id}', { params: { path: { id } }, body: { goal: 'Fish' } }))
  const suspended = { status: 'inactive' as const }
  await dataOf(client.PUT('/api/v1/admin/tenants/{id}', { params: { path: { id } }, body: suspended }))
  const [first, second] = await arriving
  expect([first, second]).toMatchObject([
    { type: 'tenant.created', target: { id } },
    { type: 'tenant.suspended', target: { id } },
  ])
  expect(await Array.fromAsync(follow({ after: first?.seq ?? 0, everyMs: null }))).toEqual([second])

  const waiting = Array.fromAsync(follow({ after: second?.seq ?? 0, signal: stopping.signal }))
  stopping.abort()
  expect(await waiting).toEqual([])
})

test('behind a gateway, the runtime reads the prompt of the tenant that the gateway names', async () => {
  const client = clientWith(session)
  const { id: tenant_id } = await dataOf(
    client.POST('/api/v1/admin/tenants', { body: { name: 'Mole', subdomain: 'mole', tenant_type: 'product' } }),
  )
  const { api_key } = await dataOf(client.POST('/api/v1/admin/api-keys', { body: { tenant_id, name: 'Web' } }))
  const body = { name: 'Runtime', scopes: [...SCOPE_PRESETS.runtime] }
  const runtime = (await dataOf(client.POST('/api/v1/admin/tokens', { body }))).token
  const aiUrl = /AI API +([^\s"]+)/.exec(server.output())?.[1]
  const allowed = await fetch(`${aiUrl}/v1/keys/authorize`, { headers: { 'x-api-key': api_key } })
  const named = allowed.headers.get('x-tenant-id')
  const headers = { authorization: `Bearer ${runtime}` }
  const prompt = await fetch(`${aiUrl}/v1/prompts/general?tenant_id=${named}`, { headers })
  expect([named, await prompt.json()]).toMatchObject([tenant_id, { prompt_type: 'general', version: 1 }])
})

test('the client throws the sentence of a refusal, and repeats a POST without a second effect', async () => {
  const client = clientWith(token)
  const create = (subdomain: string) =>
    client.POST('/api/v1/admin/tenants', {
      body: { name: 'Pier', subdomain, tenant_type: 'product' },
      params: { header: { 'Idempotency-Key': 'pier' } },
    })
  const first = await create('pier')
  const again = await create('pier')
  expect(again.response.headers.get('idempotent-replayed')).toBe('true')
  expect(again.data).toEqual(first.data)
  await expect(create('pier-2')).rejects.toThrow(/was used for another call/)
  await expect(
    client.POST('/api/v1/admin/tenants', { body: { name: '', subdomain: 'pier-3', tenant_type: 'product' } }),
  ).rejects.toThrow(/^name: /)
  const refused = await dataOf(clientWith('none').GET('/api/v1/admin/auth/me')).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(SwitchboardError)
  expect(refused).toMatchObject({ message: 'Not authenticated', status: 401, requestId: expect.any(String) })
})

test('a token with the scopes of support makes every call, except calls for people and deletions', async () => {
  const client = clientWith(token)
  const { id: maker } = await dataOf(client.GET('/api/v1/admin/auth/me'))
  const { id: tenant_id } = await dataOf(
    client.POST('/api/v1/admin/tenants', { body: { name: 'Quay', subdomain: 'quay', tenant_type: 'product' } }),
  )
  const user = { email: 'q@example.com', password: 'seven sisters walk at dusk', role: 'user', tenant_id } as const
  const { id: userId } = await dataOf(client.POST('/api/v1/admin/tenant-admins', { body: user }))
  const { id: keyId } = await dataOf(client.POST('/api/v1/admin/api-keys', { body: { tenant_id, name: 'Web' } }))
  const query = { tenant_name: 'Quay', city: 'Austin', state: 'Texas', country: 'United States' } as const
  const { data: place } = await dataOf(client.POST('/api/v1/admin/google/places/id/generate', { body: query }))
  const extra_data = { place_id: place?.place_id ?? '' }
  const { id: taskId } = await dataOf(
    client.POST('/api/v1/admin/tasks/schedule', {
      body: { tenant_id, schedule_name: 'pull_google_review', frequency: 'daily', extra_data },
    }),
  )
  const run = { task_id: taskId, super_admin_id: maker, timestamp: new Date().toISOString() }
  const template = { template: 'Help with {{ goal }}.', variables: { goal: 'sell' } }

  const calls: [expected: number, method: string, where: string, body?: object][] = [
    [200, 'GET', '/auth/me'],
    [200, 'GET', '/tenants'],
    [200, 'PUT', `/tenants/${tenant_id}`, { goal: 'sell', aggressiveness: 4 }],
    [200, 'GET', '/tenant-admins'],
    [200, 'GET', '/analytics/users'],
    [200, 'GET', '/analytics/tenants'],
    [200, 'GET', `/api-keys/${tenant_id}`],
    [200, 'PATCH', `/api-keys/${keyId}/toggle`, { is_active: false }],
    [200, 'GET', '/prompts/templates'],
    [200, 'GET', '/prompts/types'],
    [200, 'POST', '/prompts/preview', template],
    [200, 'GET', '/tasks'],
    [200, 'POST', `/tasks/${taskId}/run`, run],
  ]
  // One after the other: so many at once would wait for connections of the database.
  const answers: number[] = []
  for (const [, ...call] of calls) answers.push((await send(...call)).status)
  expect(answers).toEqual(calls.map(([expected]) => expected))

  const refusals: [sentence: string, method: string, where: string, body?: object][] = [
    [TOKEN_REFUSED, 'PUT', '/auth/profile', { email: 'other@example.com', current_password: admin.password }],
    [TOKEN_REFUSED, 'POST', '/auth/logout'],
    [TOKEN_REFUSED, 'PUT', '/prompts/templates/general', { template: 'Help.' }],
    [TOKEN_REFUSED, 'DELETE', `/tasks/${tenant_id}/schedule/${taskId}`],
    [TOKEN_REFUSED, 'DELETE', `/api-keys/${keyId}`],
    [TOKEN_REFUSED, 'DELETE', `/tenant-admins/${userId}`],
    [TOKEN_REFUSED, 'DELETE', `/tenants/${tenant_id}`],
  ]
  for (const [sentence, ...call] of refusals) {
    const answer = await send(...call)
    expect([answer.status, await answer.json()]).toMatchObject([403, { detail: sentence }])
  }

  const runs = await (await send('GET', `/tasks/${taskId}/runs`)).json()
  expect(runs).toMatchObject([{ trigger: 'manual', started_by: `token "Billing" of ${admin.email}` }])
  const entries = await (await send('GET', `/audit?limit=5&target_id=${taskId}&action=tasks.run`)).json()
  expect(entries).toMatchObject([{ outcome: 'done', actor_email: `token "Billing" of ${admin.email}` }])
})

/** The position of the event about this record. */
async function seqOf(events: AsyncGenerator<Schemas['Event']>, id: string): Promise<number> {
  for await (const { seq, target } of events) if (target.id === id) return seq
  throw new Error('The events have ended.')
}

async function* take<Item>(count: number, items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let left = count
  for await (const item of items) {
    yield item
    left -= 1
    if (left === 0) return
  }
}
