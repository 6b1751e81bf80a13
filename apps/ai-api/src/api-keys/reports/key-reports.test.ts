import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { keyCheck } from '@switchboard/contract/api-keys/key-format'
import { KEY_REPORT_CALLS_PER_MINUTE, KEY_REPORTS_MAX, REPORTS_OFF } from '@switchboard/contract/api-keys/key-reports'
import { TOKEN_BODY_LENGTH, TOKEN_PREFIX } from '@switchboard/contract/tokens/token-format'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'
import { withinASecond } from '#src/testing/within-a-second.ts'

const pair = (namedCurve = 'prime256v1') => generateKeyPairSync('ec', { namedCurve })
const published = pair()
const publicKeys = new Map([['one', published.publicKey]])
let fetches = 0
const service = createServer((_, response) => {
  fetches += 1
  const public_keys = [...publicKeys].map(([key_identifier, key]) => ({
    key_identifier,
    key: key.export({ type: 'spki', format: 'pem' }),
    is_current: true,
  }))
  response.end(JSON.stringify({ public_keys }))
})
await new Promise<void>((resolve) => {
  service.listen(0, '127.0.0.1', resolve)
})
const address = service.address()
const port = typeof address === 'object' && address !== null ? address.port : 0

const { db, url: directUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const at = { now: new Date() }
const serverWith = (keyReports: Parameters<typeof testDeps>[0]['keyReports']) =>
  buildAiApi(testDeps({ db, directUrl, now: () => at.now, keyReports: keyReports ?? null }))
const publicKeysUrl = `http://127.0.0.1:${port}/meta/public_keys/secret_scanning`
const app = await serverWith({ publicKeysUrl, deactivates: false })
const strict = await serverWith({ publicKeysUrl, deactivates: true })
const off = await serverWith(null)
afterAll(async () => {
  for (const each of [app, strict, off]) await each.close()
  service.close()
  await drop()
})

let calls = 0
/** Sends a body with a signature, each call from another network. */
function send(body: string, { by = published.privateKey, identifier = 'one', server = app, from = '' } = {}) {
  calls += 1
  return server.inject({
    method: 'POST',
    url: '/v1/keys/reported',
    remoteAddress: from === '' ? `10.${calls % 250}.${Math.floor(calls / 250)}.1` : from,
    headers: {
      'content-type': 'application/json',
      'github-public-key-identifier': identifier,
      'github-public-key-signature': sign('sha256', Buffer.from(body), by).toString('base64'),
    },
    payload: body,
  })
}
const PLACE = 'https://github.com/octocat/Hello-World/blob/main/config.ts'
const reported = (...tokens: string[]) =>
  JSON.stringify(tokens.map((token) => ({ token, type: 'switchboard_api_key', url: PLACE, source: 'content' })))

const tenant = await makeTenant(db)
const newKey = () => makeApiKey(db, { tenant_id: tenant.id, name: 'Production' })
const keyOf = (id: string) =>
  db
    .selectFrom('api_keys')
    .select(['is_active', 'reported_at', 'reported_url', 'version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const auditOf = (id: string) => db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).execute()

describe('a report', () => {
  test('of a key marks it once, with one entry of the system and without the secret', async () => {
    const key = await newKey()
    const answers = await Promise.all([send(reported(key.api_key, key.api_key)), send(reported(key.api_key))])
    const label = {
      token_hash: createHash('sha256').update(key.api_key).digest('hex'),
      token_type: 'switchboard_api_key',
      label: 'true_positive',
    }
    expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual([
      [200, [label, label]],
      [200, [label]],
    ])
    expect(await keyOf(key.id)).toEqual({
      is_active: true,
      reported_at: expect.any(String),
      reported_url: PLACE,
      version: 2,
    })
    const entries = await auditOf(key.id)
    expect(entries).toMatchObject([
      {
        action: 'keys.report',
        outcome: 'done',
        actor_id: null,
        actor_email: 'secret scanning',
        target_type: 'api_key',
        target_name: 'Production',
        tenant_id: tenant.id,
        changes: { reported_url: { before: null, after: PLACE } },
      },
    ])
    expect(JSON.stringify(entries)).not.toContain(key.api_key.slice(12))
  })

  test('deactivates the key where the setting says so, and its calls are refused within a second', async () => {
    const key = await newKey()
    const verify = async () =>
      (await strict.inject({ method: 'POST', url: '/v1/keys/verify', payload: { api_key: key.api_key } })).statusCode
    expect(await verify()).toBe(200)
    expect((await send(reported(key.api_key), { server: strict })).statusCode).toBe(200)
    await withinASecond(async () => expect(await verify()).toBe(401))
    expect(await keyOf(key.id)).toMatchObject({ is_active: false, version: 2 })
    expect((await auditOf(key.id))[0]?.changes).toMatchObject({ is_active: { before: true, after: false } })
  })

  test('of anything else is a false positive and changes nothing', async () => {
    const key = await newKey()
    const wrong = `${key.api_key.slice(0, -1)}${key.api_key.endsWith('0') ? '1' : '0'}`
    const unknown = 'sb_live_000000000000000000000000000000'
    const answer = await send(reported(wrong, unknown, '', 'ghp_abc'))
    expect(answer.json().map(({ label }: { label: string }) => label)).toEqual(Array(4).fill('false_positive'))
    expect(await keyOf(key.id)).toMatchObject({ reported_at: null, version: 1 })
  })

  test('of a service token has no answer', async () => {
    const body = 'a'.repeat(TOKEN_BODY_LENGTH)
    expect((await send(reported(`${TOKEN_PREFIX}${body}${keyCheck(body)}`, 'x'))).json()).toMatchObject([
      { label: 'false_positive' },
    ])
  })

  test('takes nothing from fields that the form does not have', async () => {
    const key = await newKey()
    const more = { is_active: false, tenant_id: key.id, reported_at: '2020-01-01T00:00:00.000Z', version: 9 }
    const body = JSON.stringify([{ token: key.api_key, type: 't', ...more }])
    expect((await send(body)).statusCode).toBe(200)
    expect(await keyOf(key.id)).toMatchObject({ is_active: true, version: 2, reported_url: null })
  })

  test('has an address of one line, or none', async () => {
    const [one, other] = [await newKey(), await newKey()]
    const url = `https://a.example/\n${'x'.repeat(3_000)}`
    const body = [
      { token: one.api_key, type: 't', url },
      { token: other.api_key, type: 't' },
    ]
    expect((await send(JSON.stringify(body))).statusCode).toBe(200)
    expect((await keyOf(one.id)).reported_url).toHaveLength(2_000)
    expect((await keyOf(other.id)).reported_url).toBeNull()
  })
})

describe('a call', () => {
  test.for([
    ['by another key', () => send(reported('x'), { by: pair().privateKey })],
    ['by an unknown key', () => send(reported('x'), { identifier: 'two' })],
    ['without a signature', () => app.inject({ method: 'POST', url: '/v1/keys/reported', payload: [] })],
  ] as const)('%s is refused', async ([, call]) => {
    const answer = await call()
    expect([answer.statusCode, answer.json().detail]).toEqual([401, 'Not authenticated'])
  })

  test('with a changed body is refused', async () => {
    const key = await newKey()
    const signature = sign('sha256', Buffer.from('[]'), published.privateKey).toString('base64')
    const headers = { 'github-public-key-identifier': 'one', 'github-public-key-signature': signature }
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/keys/reported',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: reported(key.api_key),
    })
    expect(answer.statusCode).toBe(401)
    expect(await keyOf(key.id)).toMatchObject({ reported_at: null })
  })

  test('is refused on another curve, and the keys are fetched at most once a minute', async () => {
    const other = pair('secp384r1')
    publicKeys.set('other curve', other.publicKey)
    at.now = new Date(at.now.getTime() + 61_000)
    const before = fetches
    for (const identifier of ['other curve', 'unknown', 'unknown'])
      expect((await send(reported('x'), { by: other.privateKey, identifier })).statusCode).toBe(401)
    expect(fetches).toBe(before + 1)
  })

  test('is refused while reports are off', async () => {
    const answer = await send(reported('x'), { server: off })
    expect([answer.statusCode, answer.json().detail]).toEqual([404, REPORTS_OFF])
  })

  test('has a limited size, form and rate', async () => {
    expect((await send(reported(...Array<string>(KEY_REPORTS_MAX + 1).fill('x')))).statusCode).toBe(422)
    expect((await send('{"token":"x"}')).statusCode).toBe(422)
    for (const text of ['[', '[{"token":"x","token":"y","type":"t"}]', '[{"__proto__":{"token":"x"}}]'])
      expect([400, 422], text).toContain((await send(text)).statusCode)
    expect((await send(`"${'x'.repeat(300_000)}"`)).statusCode).toBe(413)
    // The counter reads the time of the process. On a slow machine the calls take longer than a minute.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const from = '192.0.2.7'
    for (let count = 0; count < KEY_REPORT_CALLS_PER_MINUTE; count += 1)
      expect((await send('[]', { from })).statusCode).toBe(200)
    const answer = await send('[]', { from })
    expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([429, true])
  })

  test('is answered with 503 when the public keys cannot be fetched, and refused by no key that is known', async () => {
    const lost = await serverWith({ publicKeysUrl: 'http://127.0.0.1:9/keys', deactivates: false })
    expect((await send(reported('x'), { server: lost })).statusCode).toBe(503)
    await lost.close()
  })
})
