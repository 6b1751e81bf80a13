import { healthz } from '@switchboard/contract/wire/health'
import { type Chance, chanceOf } from '@switchboard/demo-world/chance'
import { expect, test } from 'vitest'
import { goodPath, makeGoodCalls, parametersOf } from './good-calls.ts'
import { startBothServers } from './two-servers.ts'

const ROUNDS = 400
const SEED = 'hostile calls'
/** Calls that need the maps or ai-api, which do not run in this test. */
const ANSWERS_5XX = new Set(['places.generate_id', 'tasks.run', 'task_reviews.photos'])
const ODD_VALUES: [unknown, ...unknown[]] = [
  'odd',
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  'x'.repeat(5_000),
  '\u202E',
  '\u{1F600}',
  '\r\n',
  '${x}',
  '../..',
  [],
  {},
  [[[]]],
  [null],
  { a: { b: [] } },
  '2026-02-30T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  'NaN',
]
const ODD_HEADERS = [
  ['if-match', '"x"'],
  ['x-request-id', 'x'.repeat(200)],
  ['x-forwarded-for', '<script>'],
  ['accept-encoding', 'gzip;q=x, *'],
  ['accept', '\u00ff'],
  ['content-type', 'application/json; charset=latin1'],
  ['authorization', 'Bearer'],
  ['range', 'bytes=0-,5-1'],
] as const

const { servers, db, admin } = await startBothServers()
const { ids, bodies } = await makeGoodCalls(db, admin.id)

test.for(servers.map((server) => [server.name, server] as const))(
  '%s answers 400 random calls without a 5xx status',
  async ([name, { app, endpoints, headersFor }]) => {
    const chance = chanceOf(SEED, name)
    const broken: string[] = []
    for (let n = 0; n < ROUNDS; n += 1) {
      const endpoint = endpoints[chance.integer(0, endpoints.length - 1)]
      // A sign-out would end the session of all calls.
      if (endpoint === undefined || endpoint.schema.operationId === 'auth.logout') continue
      const { method, schema } = endpoint
      const odd = String(chance.pick(ODD_VALUES))
      const [parameter = ''] = parametersOf(endpoint)
      const path = goodPath(endpoint, ids, chance.is(0.3) ? { [parameter]: odd } : {})
      const search = `?${chance.pick(['limit', 'cursor', 'q', 'sort', 'id', 'x'])}=${encodeURIComponent(odd)}`
      const url = path + (chance.is(0.4) ? search : '')
      const payload = JSON.stringify(mutated(bodies[schema.operationId], chance)) ?? ''
      const sent = chance.is(0.1) ? payload.slice(0, -2) : payload
      const { statusCode } = await app.inject({
        method: chance.is(0.9) ? method : chance.pick(['GET', 'PUT', 'POST', 'PATCH', 'DELETE']),
        url,
        headers: {
          ...headersFor(sent),
          ...(sent !== '' && { 'content-type': 'application/json' }),
          ...Object.fromEntries(ODD_HEADERS.filter(() => chance.is(0.1))),
        },
        ...(sent !== '' && { payload: sent }),
      })
      if (statusCode >= 500 && !ANSWERS_5XX.has(schema.operationId))
        broken.push(`${statusCode} for call ${n}: ${method} ${url} ${payload.slice(0, 300)}`)
    }
    expect(broken).toEqual([])
    expect((await app.inject(healthz.url)).statusCode).toBe(200)
  },
)

/** A valid body with some values replaced or removed, and sometimes an additional field. */
function mutated(body: Record<string, unknown> | undefined, chance: Chance): unknown {
  if (body === undefined) return chance.is(0.2) ? chance.pick(ODD_VALUES) : undefined
  if (chance.is(0.1)) return chance.pick(ODD_VALUES)
  const kept = Object.entries(body).filter(() => chance.is(0.9))
  const copy = Object.fromEntries(kept.map(([key, value]) => [key, chance.is(0.3) ? chance.pick(ODD_VALUES) : value]))
  return chance.is(0.1) ? { ...copy, extra: chance.pick(ODD_VALUES) } : copy
}
