import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { goodPath, kindOf, makeGoodCalls, parametersOf } from './good-calls.ts'
import { startBothServers } from './two-servers.ts'

const HOSTILE_IDS = [
  "' or '1'='1",
  '1; drop table tenants; --',
  '1 union select null',
  '$(id)',
  '%00',
  '\u0000',
  '\ud800',
  '{}',
  '-1',
  '0',
  '../../etc/passwd',
  '..',
  '..\\..\\boot.ini',
  '%2e%2e%2f',
  'x'.repeat(1_000),
  'x'.repeat(3_000),
  'null',
  'undefined',
]

const { servers, db, admin } = await startBothServers()
const { ids, bodies } = await makeGoodCalls(db, admin.id)

describe.for(servers.map((server) => [server.name, server] as const))('%s', ([, { app, endpoints, headersFor }]) => {
  const cases = endpoints.flatMap((endpoint) =>
    parametersOf(endpoint).map((parameter) => [endpoint.schema.operationId, parameter, endpoint] as const),
  )

  test.for(cases)(
    '%s finds nothing for a %s of another kind, an unknown id or a hostile id',
    async ([, name, endpoint]) => {
      const kind = kindOf(endpoint, name)
      // A service token names the tenant.
      const query = endpoint.schema.operationId === 'prompts.render' ? `?tenant_id=${ids['tenants']}` : ''
      const send = async (value: string) => {
        const body = bodies[endpoint.schema.operationId]
        const payload = JSON.stringify(body) ?? ''
        return await app.inject({
          method: endpoint.method,
          url: `${goodPath(endpoint, ids, { [name]: value })}${query}`,
          headers: { ...headersFor(payload), ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { payload }),
        })
      }
      const before = await rowCounts()
      const unknown = await send(randomUUID())
      expect([404, 422]).toContain(unknown.statusCode)
      for (const [other, id] of Object.entries(ids)) {
        // A member is a user.
        if (other === kind || (kind === 'users' && other === 'team')) continue
        const { statusCode, body } = await send(id)
        expect([statusCode, body]).toEqual([unknown.statusCode, unknown.body])
      }
      const statuses = await Promise.all(
        HOSTILE_IDS.map(async (value) => [value, (await send(value)).statusCode] as const),
      )
      expect(statuses.filter(([, status]) => ![400, 404, 405, 414, 422].includes(status))).toEqual([])
      expect(await rowCounts()).toEqual(before)
    },
  )
})

async function rowCounts(): Promise<number[]> {
  const tables = ['tenants', 'users', 'api_keys', 'tasks', 'runs', 'sessions', 'prompt_versions'] as const
  return await Promise.all(
    tables.map(async (table) => {
      const { count } = await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    }),
  )
}
