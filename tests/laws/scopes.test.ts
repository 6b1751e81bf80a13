import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { AI_API_ENDPOINTS } from '@switchboard/contract/ai-api'
import { KEY_REFUSED } from '@switchboard/contract/api-keys/key-verification'
import {
  type Scope,
  scope,
  scopeRefused,
  scopesOf,
  serverOf,
  TOKEN_INVALID,
  TOKEN_REFUSED,
} from '@switchboard/contract/tokens/scopes'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { makeUser } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { readRepositoryFile } from './repository-files.ts'

// The matrix of scopes: every endpoint of both servers, called without a token and with a token of each scope.

const { app: adminApi, db, databaseUrl, clock } = await startTestApi()
const aiApi = await buildAiApi(testDeps({ db, directUrl: databaseUrl, now: () => clock.at }))
afterAll(() => aiApi.close())

const servers: ['admin-api' | 'ai-api', ZodApp, readonly Endpoint[]][] = [
  ['admin-api', adminApi, ADMIN_API_ENDPOINTS],
  ['ai-api', aiApi, AI_API_ENDPOINTS],
]
const maker = await makeUser(db)
const tokens = new Map<Scope, string>()
for (const name of scope.options)
  tokens.set(name, (await makeToken(db, { created_by_id: maker.id, scopes: [name] })).token)

const ID = '7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d'
const USER = { email: 'jo@example.com', password: 'kettles under a plum tree', tenant_id: ID }
/** ai-api checks the body before the caller. */
const BODIES: Record<string, object> = {
  'keys.verify': {},
  'prompts.render_with_variables': { tenant_id: ID },
  'users.verify': USER,
  'users.accept_invitation': { token: 'x', new_password: 'seven sisters walk at dusk', tenant_id: ID },
  'users.password': { ...USER, new_password: 'seven sisters walk at dusk' },
}
/** The answers to callers that an endpoint does not let in. */
const CLOSED = new Set<unknown>(['Not authenticated', TOKEN_INVALID, TOKEN_REFUSED, scopeRefused([])])

const needed = ({ schema, config }: Endpoint) => scopesOf({ ...config, operationId: schema.operationId })

async function answer(app: ZodApp, { method, url, schema }: Endpoint, token?: string) {
  const { statusCode, headers, body } = await app.inject({
    method,
    url: url.replaceAll(/:\w+/g, ID).replace('*', 'chat'),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(schema.operationId in BODIES && { payload: BODIES[schema.operationId] ?? {} }),
  })
  const { detail, code } = String(headers['content-type']).includes('json') ? JSON.parse(body) : {}
  return { status: statusCode, detail, code }
}

describe.for(servers)('%s', ([server, app, endpoints]) => {
  test.for(endpoints)('$schema.operationId opens to its scopes only', async (endpoint) => {
    const scopes = needed(endpoint)
    const stranger = await answer(app, endpoint)
    if (endpoint.config?.public !== true) expect(stranger).toMatchObject({ status: 401, detail: 'Not authenticated' })
    for (const [name, token] of tokens) {
      const found = await answer(app, endpoint, token)
      if (scopes.includes(name)) {
        expect(serverOf(name)).toBe(server)
        expect([CLOSED.has(found.detail), found.detail === scopeRefused(scopes)]).toEqual([false, false])
        if (found.detail === KEY_REFUSED) expect(found.code).toBe('missing')
      } else if (scopes.length === 0 && endpoint.config?.public === true) expect(found).toEqual(stranger)
      else {
        const detail = scopes.length === 0 ? TOKEN_REFUSED : scopeRefused(scopes)
        expect(found).toMatchObject({ status: 403, detail })
      }
    }
  })
})

test('every scope opens an endpoint, and docs/service-tokens.md names it', () => {
  const page = readRepositoryFile('docs/service-tokens.md')
  const opened = new Set([...ADMIN_API_ENDPOINTS, ...AI_API_ENDPOINTS].flatMap(needed))
  expect(scope.options.filter((name) => !opened.has(name) || !page.includes(`| \`${name}\` |`))).toEqual([])
})

test('in admin-api, a scope reads or edits, and every endpoint that reads or edits has one scope', () => {
  const unexpected = ADMIN_API_ENDPOINTS.filter((endpoint) => {
    const { capability = 'none', token } = endpoint.config ?? {}
    const scopes = needed(endpoint)
    if (token === true) return scopes.length < 2
    if (['view', 'export'].includes(capability)) return scopes.join() !== 'read'
    if (capability === 'edit') return scopes.length !== 1 || scopes.includes('read')
    return scopes.length > 0
  })
  expect(unexpected.map(({ schema }) => schema.operationId)).toEqual([])
})
