import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from '#src/testing/test-deps.ts'

const { db, url: directUrl, drop } = await createTestDatabase(inject('postgresUrl'))
const tenant = await makeTenant(db)
const { api_key } = await makeApiKey(db, { tenant_id: tenant.id })
const app = await buildAiApi(testDeps({ db, directUrl }))
const unlistening = await buildAiApi(testDeps({ db, directUrl: 'postgresql://127.0.0.1:1/none' }))
afterAll(async () => {
  await Promise.all([app.close(), unlistening.close()])
  await drop()
})

const verify = (secret = api_key) =>
  app.inject({ method: 'POST', url: '/v1/keys/verify', payload: { api_key: secret } })
const figure = async (at: typeof app, name: string) =>
  Number(
    (await at.metrics.metrics())
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  )

test('trust in the cache is 1 with a young heartbeat, and 0 without a connection', async () => {
  await expect.poll(() => figure(app, 'api_key_cache_trusted')).toBe(1)
  await expect.poll(() => figure(app, 'api_key_heartbeat_age_seconds')).toBeLessThan(0.8)
  expect(await figure(unlistening, 'api_key_cache_trusted')).toBe(0)
  expect(await figure(unlistening, 'api_key_heartbeat_age_seconds')).toBeGreaterThan(0.8)
})

test('after a suspension of the machine the cache is not trusted until the next heartbeat', async () => {
  await expect.poll(() => figure(app, 'api_key_cache_trusted')).toBe(1)
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const trustedAfterSuspension = async () => {
    // Only the wall clock advances in the meantime. A heartbeat may arrive before the metrics are read.
    vi.setSystemTime(Date.now() + 600_000)
    return await figure(app, 'api_key_cache_trusted')
  }
  await expect.poll(trustedAfterSuspension).toBe(0)
  await expect.poll(() => figure(app, 'api_key_cache_trusted')).toBe(1)
})

const reads = async (result: 'hit' | 'miss') => await figure(app, `api_key_cache_reads_total{result="${result}"}`)

test('the first check of a key is a miss, a later one is a hit, and a malformed key is neither', async () => {
  await verify()
  expect([await reads('miss'), await reads('hit')]).toEqual([1, 0])
  // While a heartbeat is late on a busy machine, the cache is not trusted, and each check is a miss.
  const hitsAfterCheck = async () => {
    await verify()
    return await reads('hit')
  }
  await expect.poll(hitsAfterCheck).toBe(1)
  const misses = await reads('miss')
  await verify('no key')
  expect([await reads('miss'), await reads('hit')]).toEqual([misses, 1])
})

test('a written last use drops no key from the caches', async () => {
  /** Misses of a new key after its first use is written. There are some while the cache is not trusted for a moment. */
  const missesAfterWrite = async () => {
    const key = await makeApiKey(db, { tenant_id: tenant.id })
    await verify(key.api_key)
    await expect.poll(() => figure(app, 'api_key_checks_unwritten')).toBe(0)
    const misses = await reads('miss')
    await verify(key.api_key)
    return (await reads('miss')) - misses
  }
  await expect.poll(missesAfterWrite).toBe(0)
})

test('checks are unwritten until the next write', async () => {
  await verify()
  await verify()
  await expect.poll(() => figure(app, 'api_key_checks_unwritten')).toBe(0)
  await expect.poll(() => figure(app, 'api_key_checks_unwritten_seconds')).toBeLessThan(5)
})

test('while the use cannot be written, the number of unwritten checks and their age grow', async () => {
  await sql`create trigger is_broken before insert on api_key_calls execute function refuse_change()`.execute(db)
  onTestFinished(async () => void (await sql`drop trigger is_broken on api_key_calls`.execute(db)))
  await verify()
  await verify()
  const before = await figure(app, 'api_key_checks_unwritten_seconds')
  await expect.poll(() => figure(app, 'api_key_checks_unwritten_seconds')).toBeGreaterThan(before + 2)
  expect(await figure(app, 'api_key_checks_unwritten')).toBeGreaterThanOrEqual(2)
})
