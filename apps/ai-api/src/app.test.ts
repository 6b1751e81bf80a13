import { createTestDatabase } from '@switchboard/database/test-database'
import { createLogger } from '@switchboard/server/log'
import { afterAll, expect, inject, test } from 'vitest'
import { buildAiApi } from './app.ts'

const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
const app = await buildAiApi({ db, databaseUrl: url, log: createLogger('silent'), trustProxy: false })
afterAll(async () => {
  await app.close()
  await drop()
})

test.for(['/healthz', '/readyz'])('%s answers without a session', async (path) => {
  const answer = await app.inject(path)
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }])
})
