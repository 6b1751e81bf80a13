import { reportKeys } from '@switchboard/contract/api-keys/key-reports'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type JSONSchema, toJSONSchema } from 'zod/v4/core'
import { dumpOf } from './dump.ts'
import { goodPath, makeGoodCalls } from './good-calls.ts'
import { startBothServers } from './two-servers.ts'

/** Columns per request. An answer names at most twenty problems, some of them of nested objects. */
const CHUNK = 15

/** Tables of the audit log, which has refused calls too. */
const AUDIT = ['audit_log', 'audit_head', 'audit_unsealed']

const { servers, db, admin } = await startBothServers()
const { ids, bodies } = await makeGoodCalls(db, admin.id)
const { rows } = await sql<{ name: string }>`
  select distinct column_name as name from information_schema.columns where table_schema = 'public'`.execute(db)
const columns = [...rows.map(({ name }) => name), 'admin', 'isAdmin', '$where', 'toString'].toSorted()
const problems = z.object({ detail: z.array(z.object({ loc: z.array(z.string()), type: z.string() })) })

test('every call with a body has a valid body here', () => {
  const withBody = servers.flatMap(({ endpoints }) => endpoints.filter(({ schema }) => schema.body !== undefined))
  const names = new Set(withBody.map(({ schema }) => schema.operationId))
  // The form of reports is GitHub's, which may add fields. They are not read: key-reports.test.ts.
  names.delete(reportKeys.schema.operationId)
  expect(Object.keys(bodies).toSorted()).toEqual([...names].toSorted())
})

describe.for(servers.map((server) => [server.name, server] as const))('%s', ([, { app, endpoints, headersFor }]) => {
  const cases = endpoints.flatMap((endpoint) => {
    const body = bodies[endpoint.schema.operationId]
    return body === undefined ? [] : [[endpoint.schema.operationId, endpoint, body] as const]
  })

  test.for(cases)('%s refuses all columns of tables beyond its own fields', async ([, endpoint, good]) => {
    const send = async (body: object) => {
      const payload = JSON.stringify(body)
      const headers = { ...headersFor(payload), 'content-type': 'application/json' }
      return await app.inject({ method: endpoint.method, url: goodPath(endpoint, ids), headers, payload })
    }
    const before = await dumpOf(db, AUDIT)
    for (const [place, fields] of objectsOf(endpoint)) {
      const foreign = columns.filter((column) => !fields.includes(column))
      for (let at = 0; at < foreign.length; at += CHUNK) {
        const chunk = foreign.slice(at, at + CHUNK)
        const extra = Object.fromEntries(chunk.map((column) => [column, ids['tenants']]))
        const answer = await send(place === null ? { ...good, ...extra } : { ...good, [place]: extra })
        expect(answer.statusCode).toBe(422)
        const refused = problems.parse(answer.json()).detail.filter(({ type }) => type === 'unrecognized_keys')
        expect(new Set(refused.map(({ loc }) => loc.at(-1)))).toEqual(new Set(chunk))
      }
    }
    expect(await dumpOf(db, AUDIT)).toBe(before)
  })
})

/** The fields of a body, and of every object in the body by the name of its field. */
function objectsOf({ schema }: Endpoint): [place: string | null, fields: string[]][] {
  const whole: JSONSchema.BaseSchema =
    schema.body === undefined ? {} : toJSONSchema(schema.body, { io: 'input', unrepresentable: 'any' })
  const { properties = {} } = [whole, ...(whole.anyOf ?? [])].find((part) => part.properties !== undefined) ?? {}
  const inner = Object.entries(properties).flatMap(([name, part]): [string, string[]][] =>
    typeof part === 'object' && part.properties !== undefined ? [[name, Object.keys(part.properties)]] : [],
  )
  return [[null, Object.keys(properties)], ...inner]
}
