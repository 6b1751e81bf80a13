import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, expect, inject, test } from 'vitest'
import { buildAiApi } from './app.ts'
import { testDeps } from './testing/test-deps.ts'

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
const app = await buildAiApi(testDeps({ db, directUrl: url }))
afterAll(async () => {
  await app.close()
  await drop()
})

test.for(['/healthz', '/readyz'])('%s answers without a session', async (path) => {
  const answer = await app.inject(path)
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { status: 'ok' }])
})
