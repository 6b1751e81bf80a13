import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { isAllowed, ROLE_REFUSED } from '@switchboard/contract/auth/capabilities'
import { type ConsoleRole, consoleRole } from '@switchboard/contract/auth/current-admin'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'
import { startSession } from './sessions.service.ts'

const api = await startTestApi()
const ENDPOINTS = ADMIN_API_ENDPOINTS.filter(({ config }) => config?.public !== true)
const ID = '7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d'

/** A call of the endpoint that is refused for its role before it is refused for its content. */
const callOf = ({ method, url }: (typeof ENDPOINTS)[number], id = ID) => ({ method, url: url.replaceAll(/:\w+/g, id) })

/** A person with this role, and the header of their new session. */
async function personWith(role: ConsoleRole) {
  const { id } = await makeUser(api.db, { role })
  const { access_token } = await startSession(api.deps, api.db, { user_id: id, address: null, user_agent: null })
  return { id, headers: { authorization: `Bearer ${access_token}` } }
}

test('every endpoint with a session names a capability', () => {
  expect(ENDPOINTS.length).toBeGreaterThan(80)
  expect(ENDPOINTS.filter(({ config }) => config?.capability === undefined).map(({ url }) => url)).toEqual([])
})

test.for(ENDPOINTS)('$method $url needs a session', async (endpoint) => {
  expect((await api.call(callOf(endpoint))).statusCode).toBe(401)
})

describe.for(consoleRole.options)('%s', (role) => {
  test.for(ENDPOINTS)('$method $url', async (endpoint) => {
    const { id, headers } = await personWith(role)
    const isOwn = endpoint.config?.capability === 'own_account'
    const answer = await api.call({ ...callOf(endpoint, isOwn ? id : ID), headers })
    expect(answer.statusCode).not.toBe(401)
    const isRefused = answer.statusCode === 403 && answer.json().detail === ROLE_REFUSED
    expect(isRefused).toBe(!isAllowed(role, endpoint.config?.capability))
  })
})

describe('support', () => {
  test('deletes no row of a bulk change', async () => {
    const { admin, call } = await api.signIn(undefined, 'support')
    const { id } = await makeTenant(api.db)
    const user = await makeUser(api.db, { tenant_id: id, role: 'user' })
    const bulk = (action: string) =>
      call({ method: 'POST', url: '/api/v1/admin/tenant-admins/bulk', body: { action, ids: [user.id] } })
    const refused = await bulk('delete')
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { detail: ROLE_REFUSED }])
    expect(await api.refusedTo(admin.id)).toMatchObject([{ action: 'users.bulk', reason: ROLE_REFUSED }])
    expect((await bulk('deactivate')).json().results).toMatchObject([{ outcome: 'done', is_changed: true }])
  })

  test.for([
    ['PATCH', '', { email: 'taken-over@example.com' }],
    ['PATCH', '/toggle', { is_active: false }],
  ] as const)('changes no account of the console: %s%s', async ([method, path, body]) => {
    const { call } = await api.signIn(undefined, 'support')
    const { admin } = await api.signIn()
    const answer = await call({ method, url: `/api/v1/admin/tenant-admins/${admin.id}${path}`, body })
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { detail: ROLE_REFUSED }])
  })
})

test('a change of the role takes effect with the next call', async () => {
  const { admin, call } = await api.signIn()
  await api.db.updateTable('users').set({ role: 'auditor' }).where('id', '=', admin.id).execute()
  const answer = await call({ method: 'POST', url: '/api/v1/admin/tenants', body: {} })
  expect(answer.statusCode).toBe(403)
})
