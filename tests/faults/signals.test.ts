import { createTestDatabase } from '@switchboard/testing/test-database'
import { expect, inject, onTestFinished, test } from 'vitest'
import { deliverChanges } from './signals.ts'

test('while both workers are killed, a failing webhook gets every event and failing sinks the log, in order', async () => {
  const { url, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const delivered = await deliverChanges(url, { changes: 120, tenants: 60, kills: 1 })
  expect(delivered).toMatchObject({ lost: [], different: [], disordered: [], unsigned: 0, sinks: [] })
  expect(delivered.events).toBeGreaterThanOrEqual(120)
  expect(delivered.failed).toBeGreaterThan(50)
})
