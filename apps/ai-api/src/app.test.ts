import { createTestDatabase } from '@switchboard/database/test-database'
import { createLogger } from '@switchboard/server/log'
import { afterAll, expect, inject, test } from 'vitest'
import { buildAiApi } from './app.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
const app = await buildAiApi({ db, log: createLogger('silent'), trustProxy: false })
afterAll(async () => {
  await app.close()
  await drop()
})

test.for(['/healthz', '/readyz'])('%s answers without a session', async (url) => {
  const answer = await app.inject(url)
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }])
})
