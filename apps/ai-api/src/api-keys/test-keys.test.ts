import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'

const { db, url: directUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const app = await buildAiApi(testDeps({ db, directUrl }))
afterAll(async () => {
  await app.close()
  await drop()
})

const tenant = await makeTenant(db)
type Fields = Partial<Parameters<typeof makeApiKey>[1]>
const newKey = (fields: Fields = {}) => makeApiKey(db, { tenant_id: tenant.id, ...fields })
const verify = (api_key: string, origin?: string) =>
  app.inject({ method: 'POST', url: '/v1/keys/verify', payload: { api_key, origin } })
const ORIGINS = { allowed_origins: ['https://shop.example', 'https://*.shop.example'] }

test('a test key has the rules of a live key, and its checks are counted as those of a test key', async () => {
  const key = await newKey({ environment: 'test', ...ORIGINS })
  expect((await verify(key.api_key, 'https://shop.example')).statusCode).toBe(200)
  expect((await verify(key.api_key)).statusCode).toBe(403)
  const expired = await newKey({ environment: 'test', expires_at: new Date(Date.now() - 1) })
  expect((await verify(expired.api_key)).statusCode).toBe(401)
  const { id: inactive } = await makeTenant(db, { status: 'inactive' })
  expect((await verify((await newKey({ environment: 'test', tenant_id: inactive })).api_key)).statusCode).toBe(401)
  expect(await app.metrics.metrics()).toMatch(/api_key_checks_total\{environment="test",outcome="expired"\} 1/)
  const environments = async () => {
    const rows = await db.selectFrom('api_key_calls').select('environment').where('api_key_id', '=', key.id).execute()
    return rows.map(({ environment }) => environment)
  }
  await expect.poll(environments).toEqual(['test', 'test'])
})
