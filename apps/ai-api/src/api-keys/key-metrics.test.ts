import { connect } from '@switchboard/database/connection/connect'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
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

const verify = (at: typeof app) => at.inject({ method: 'POST', url: '/v1/keys/verify', payload: { api_key } })
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

test('the first check of a key is a miss, the next is a hit, and a malformed key is neither', async () => {
  await expect.poll(() => figure(app, 'api_key_cache_trusted')).toBe(1)
  for (let n = 0; n < 3; n += 1) await verify(app)
  await app.inject({ method: 'POST', url: '/v1/keys/verify', payload: { api_key: 'no key' } })
  expect(await figure(app, 'api_key_cache_reads_total{result="miss"}')).toBe(1)
  expect(await figure(app, 'api_key_cache_reads_total{result="hit"}')).toBe(2)
})

test('a written last use drops no key from the caches', async () => {
  await expect.poll(() => figure(app, 'api_key_checks_unwritten')).toBe(0)
  const misses = await figure(app, 'api_key_cache_reads_total{result="miss"}')
  await verify(app)
  expect(await figure(app, 'api_key_cache_reads_total{result="miss"}')).toBe(misses)
})

test('checks are unwritten until the next write', async () => {
  await verify(app)
  await verify(app)
  await expect.poll(() => figure(app, 'api_key_checks_unwritten')).toBe(0)
  expect(await figure(app, 'api_key_checks_unwritten_seconds')).toBeLessThan(5)
})

test('while the use cannot be written, the number of unwritten checks and their age grow', async () => {
  const writer = connect(directUrl, { onLost: () => undefined })
  const failing = await buildAiApi(testDeps({ db: writer, directUrl }))
  await expect.poll(() => figure(failing, 'api_key_cache_trusted')).toBe(1)
  await verify(failing)
  await writer.destroy()
  await verify(failing)
  await verify(failing)
  const before = await figure(failing, 'api_key_checks_unwritten_seconds')
  await expect.poll(() => figure(failing, 'api_key_checks_unwritten_seconds')).toBeGreaterThan(before + 2)
  expect(await figure(failing, 'api_key_checks_unwritten')).toBeGreaterThanOrEqual(2)
  await failing.close()
})
