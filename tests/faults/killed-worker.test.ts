import { createTestDatabase } from '@switchboard/testing/test-database'
import { expect, inject, onTestFinished, test } from 'vitest'
import { killWorkers } from './killed-worker.ts'

test('another worker completes the runs of a killed worker within two minutes, each once', async () => {
  const { url, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const killed = await killWorkers(url, 1, () => {})
  expect(killed).toMatchObject({ kills: 1, wrong: [] })
  expect(killed.interrupted).toBeGreaterThanOrEqual(3)
  expect(killed.slowestMs).toBeLessThan(120_000)
})
