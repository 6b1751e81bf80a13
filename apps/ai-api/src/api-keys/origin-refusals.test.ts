import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'
import { withinASecond } from '#src/testing/within-a-second.ts'

const { db, url: directUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const apps = [await buildAiApi(testDeps({ db, directUrl })), await buildAiApi(testDeps({ db, directUrl }))] as const
afterAll(async () => {
  for (const app of apps) await app.close()
  await drop()
})

const { id: tenant_id } = await makeTenant(db)
const SHOP = 'https://shop.example'
const newKey = () => makeApiKey(db, { tenant_id, allowed_origins: [SHOP] })
const statusesOf = async (api_key: string, origin: string) => {
  const payload = { api_key, origin }
  return await Promise.all(
    apps.map(async (app) => (await app.inject({ method: 'POST', url: '/v1/keys/verify', payload })).statusCode),
  )
}
const originsOf = async (id: string) =>
  await db
    .selectFrom('api_key_refused_origins')
    .select(['origin', 'count'])
    .where('api_key_id', '=', id)
    .orderBy('count', 'desc')
    .execute()

test('new origins and a new expiry reach every process that has cached the key within a second', async () => {
  const { id, api_key } = await newKey()
  expect(await statusesOf(api_key, SHOP)).toEqual([200, 200])
  expect(await statusesOf(api_key, 'https://new.example')).toEqual([403, 403])
  const change = async (fields: { allowed_origins?: string[]; expires_at?: Date | null }) =>
    await db.updateTable('api_keys').set(fields).where('id', '=', id).execute()
  const statusesBecome = async (statuses: number[]) =>
    await withinASecond(async () => expect(await statusesOf(api_key, 'https://new.example')).toEqual(statuses))
  await change({ allowed_origins: ['https://new.example'] })
  await statusesBecome([200, 200])
  expect(await statusesOf(api_key, SHOP)).toEqual([403, 403])
  await change({ expires_at: new Date(Date.now() - 60_000) })
  await statusesBecome([401, 401])
  await change({ expires_at: null })
  await statusesBecome([200, 200])
})

test('refused origins of all processes and of gateways are added up', async () => {
  const { id, api_key } = await newKey()
  await statusesOf(api_key, 'https://Other.example:443')
  const headers = { 'x-api-key': api_key }
  await apps[0].inject({ url: '/v1/keys/authorize', headers })
  await apps[0].inject({ url: '/v1/keys/authorize', headers: { ...headers, origin: 'https://other.example' } })
  await statusesOf(api_key, SHOP)
  await expect
    .poll(() => originsOf(id))
    .toEqual([
      { origin: 'https://other.example', count: 3 },
      { origin: null, count: 1 },
    ])
})

test('a flood of made-up origins neither fills the table nor hides the frequent origin', async () => {
  const { id, api_key } = await newKey()
  const [app] = apps
  for (let n = 0; n < 3_000; n += 1) {
    const origin = n % 10 === 0 ? 'https://moved.example' : `https://${n}.example`
    await app.inject({ method: 'POST', url: '/v1/keys/verify', payload: { api_key, origin } })
  }
  await expect
    .poll(async () => (await originsOf(id)).some(({ origin }) => origin === 'https://moved.example'))
    .toBe(true)
  const origins = await originsOf(id)
  expect(origins.length).toBeLessThanOrEqual(20)
  expect(origins[0]?.origin).toBe('https://moved.example')
  expect(origins[0]?.count).toBeLessThanOrEqual(300)
})

test('a key of any origin has no refused origins', async () => {
  const { id, api_key } = await makeApiKey(db, { tenant_id })
  expect(await statusesOf(api_key, 'https://anything.example')).toEqual([200, 200])
  expect(await originsOf(id)).toEqual([])
})
