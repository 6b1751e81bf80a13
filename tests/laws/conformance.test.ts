import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import { describe, expect, test } from 'vitest'
import { safeParse } from 'zod/v4/core'
import { goodPath, makeGoodCalls } from './good-calls.ts'
import { startBothServers, type TestServer } from './two-servers.ts'

const { servers, db, admin } = await startBothServers()
const { ids, bodies } = await makeGoodCalls(db, admin.id)

describe.for(servers.map((server) => [server.name, server] as const))('%s', ([, server]) => {
  // Deletions come last: the other calls need the rows.
  const endpoints = server.endpoints.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))

  test.for(endpoints.map((endpoint) => [endpoint.schema.operationId, endpoint] as const))(
    '%s answers as its schema says, also when it refuses',
    async ([, endpoint]) => {
      const good = await call(server, endpoint, bodies[endpoint.schema.operationId])
      const bad = await call(server, endpoint, { unknown: 1 })
      for (const answer of [bad, good]) expect(problemOf(endpoint, answer)).toBeNull()
    },
  )
})

type Answer = { status: number; type: string; body: string }

function isLast({ method, schema }: Endpoint): boolean {
  return method === 'DELETE' || schema.operationId === 'auth.logout'
}

async function call({ app, headersFor }: TestServer, endpoint: Endpoint, body: unknown): Promise<Answer> {
  const takesBody = endpoint.schema.body !== undefined
  const payload = takesBody ? JSON.stringify(body ?? {}) : ''
  const {
    statusCode,
    headers,
    payload: text,
  } = await app.inject({
    method: endpoint.method,
    url: goodPath(endpoint, ids),
    headers: { ...headersFor(payload), ...(takesBody && { 'content-type': 'application/json' }) },
    ...(takesBody && { payload }),
  })
  return { status: statusCode, type: headers['content-type'] ?? '', body: text }
}

/** The difference between an answer and the response declared for its status, or `null`. */
function problemOf({ schema }: Endpoint, { status, type, body }: Answer): string | null {
  const declared = schema.response[status] ?? schema.response[`${Math.floor(status / 100)}xx`]
  if (declared === undefined) return `${status} is not declared`
  const isJson = type.startsWith('application/json')
  const isDeclaredRedirect = status === 302 && schema.response[302] !== undefined
  const isSuccess = status < 300 || isDeclaredRedirect
  if (!isJson) return isSuccess && (body === '' || schema.produces !== undefined) ? null : `${status} is ${type}`
  const { error } = safeParse(declared, JSON.parse(body))
  return error === undefined ? null : `${status}: ${error.message}`
}
