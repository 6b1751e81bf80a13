import { finishSingleSignOn, startSingleSignOn } from '@switchboard/contract/single-sign-on'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import { goodPath, makeGoodCalls } from './good-calls.ts'
import { startBothServers, type TestServer } from './two-servers.ts'

/**
 * An injection of each classic kind: tautology, union, stacked, comment, error-based, time-based, and of other languages.
 */
const INJECTIONS = [
  "zz' or '1'='1",
  'zz") or ("1"="1',
  "zz\\' or 1=1 --",
  "zz'/**/or/**/1=1#",
  "zz' union all select password_hash from users --",
  "zz'; drop table tenants; --",
  "zz' and 1=cast(version() as int) --",
  "zz'||(select pg_sleep(9))||'",
  'zz$$; select 1 $$',
  'zz%27%20or%201=1',
  'zz{{7*7}}${7*7}$(id)`id`|id',
]
/** Text without a meaning in any language. Like the injections, the text matches no row. */
const HARMLESS = 'zz harmless'
/** Harmless text that is a strong password. */
const HARMLESS_PASSWORD = 'zz seven sisters walk at dusk'
const FAST_MS = 8_000
/** A call that needs the maps, which do not run in this test. */
const ANSWERS_5XX = new Set(['places.generate_id'])

const { servers, db, admin } = await startBothServers()
const { ids, bodies } = await makeGoodCalls(db, admin.id)

const OPENED_BY_BROWSERS: ReadonlySet<string> = new Set(
  [startSingleSignOn, finishSingleSignOn].map(({ schema }) => schema.operationId),
)

describe.for(servers.map((server) => [server.name, server] as const))('%s', ([, server]) => {
  const withTexts = server.endpoints.flatMap((endpoint) => {
    const places = [...textsOf(bodies[endpoint.schema.operationId] ?? {}), ...queriesOf(endpoint)]
    return places.map((place) => [endpoint.schema.operationId, place.join('.'), endpoint, place] as const)
  })

  test.for(withTexts)('%s answers an injection in %s like harmless text', async ([, , endpoint, place]) => {
    // Twice, because the first call may make a row for the second, or take a unique name.
    const { operationId } = endpoint.schema
    const text = place.at(-1)?.endsWith('password') ? HARMLESS_PASSWORD : `${HARMLESS} ${operationId}`
    const first = await send(server, endpoint, place, text)
    const harmless = await send(server, endpoint, place, text)
    expect(harmless.statusCode < 500 || ANSWERS_5XX.has(operationId)).toBe(true)
    const others: string[] = []
    for (const injection of INJECTIONS) {
      const started = performance.now()
      const answer = await send(server, endpoint, place, injection)
      // 409: another call has given a record this name.
      const isSame = [first.statusCode, harmless.statusCode, 409, 422, 429].includes(answer.statusCode)
      const isSameList = place[0] !== 'query' || answer.statusCode !== 200 || answer.body === harmless.body
      const isFast = performance.now() - started < FAST_MS
      if (!isSame || !isSameList || !isFast)
        others.push(`${answer.statusCode} for ${injection}: ${answer.body.slice(0, 200)}`)
    }
    expect(others).toEqual([])
  })

  test.for(
    server.endpoints.flatMap((endpoint) =>
      queriesOf(endpoint).map(([, name = '']) => [endpoint.schema.operationId, name, endpoint] as const),
    ),
  )('%s refuses %s twice, as an array or as an object in its query', async ([, name, endpoint]) => {
    const statuses: number[] = []
    for (const search of [
      `${name}=1&${name}=2`,
      `${name}[]=1`,
      `${name}[]=1&${name}[]=2`,
      `${name}[a]=1`,
      `${name}[$ne]=1`,
    ]) {
      const { statusCode } = await inject(server, endpoint, `?${search}`)
      statuses.push(statusCode)
    }
    // Browsers navigate to the addresses of a single sign-on, so each error redirects to /login.
    const isRedirect = OPENED_BY_BROWSERS.has(endpoint.schema.operationId)
    const isRefusal = (status: number) => (isRedirect ? status === 302 : status >= 400 && status < 500)
    expect(statuses.filter((status) => !isRefusal(status))).toEqual([])
  })
})

type Place = readonly string[]

/** Places of all texts in a body: `['extra_data', 'query']`. */
function textsOf(body: object, before: Place = []): Place[] {
  return Object.entries(body).flatMap(([key, value]: [string, unknown]): Place[] => {
    if (typeof value === 'string') return [[...before, key]]
    return typeof value === 'object' && value !== null ? textsOf(value, [...before, key]) : []
  })
}

function queriesOf({ schema }: Endpoint): Place[] {
  const shape = schema.querystring !== undefined && 'shape' in schema.querystring ? schema.querystring.shape : {}
  return Object.keys(typeof shape === 'object' && shape !== null ? shape : {}).map((name) => ['query', name])
}

async function send(
  server: TestServer,
  endpoint: Endpoint,
  place: Place,
  text: string,
): Promise<LightMyRequestResponse> {
  const [first = '', name = ''] = place
  if (first === 'query') {
    // A whole list is audited, so the next whole list of the audit log would differ.
    const page = name !== 'limit' && queriesOf(endpoint).some(([, other]) => other === 'limit') ? '&limit=5' : ''
    // The audit log keeps the texts of the bodies, so a search for them would find rows.
    const search = text.replace('zz', 'yy')
    return await inject(server, endpoint, `?${name}=${encodeURIComponent(search)}${page}`)
  }
  return await inject(server, endpoint, '', withText(bodies[endpoint.schema.operationId] ?? {}, place, text))
}

async function inject(
  { app, headersFor }: TestServer,
  endpoint: Endpoint,
  search: string,
  body = bodies[endpoint.schema.operationId],
) {
  const payload = JSON.stringify(body) ?? ''
  return await app.inject({
    method: endpoint.method,
    url: goodPath(endpoint, ids) + search,
    headers: { ...headersFor(payload), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload }),
  })
}

/** A copy of a body with other text at `place`. */
function withText(value: object, [key = '', ...rest]: Place, text: string): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...value }
  const inner = copy[key]
  const next = typeof inner === 'object' && inner !== null ? inner : {}
  if (rest.length === 0) copy[key] = text
  else if (Array.isArray(inner)) copy[key] = [text]
  else copy[key] = withText(next, rest, text)
  return copy
}
