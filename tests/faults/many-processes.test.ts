import { createTestDatabase } from '@switchboard/testing/test-database'
import { expect, inject, onTestFinished, test } from 'vitest'
import { hasPgBouncer } from '#tests/pgbouncer.ts'
import { allowed, runProcesses } from './many-processes.ts'

/** The default of PostgreSQL, without the connections that it reserves for superusers. */
const CONNECTIONS_MAX = 97

test('a pooler and twenty processes need fewer connections than PostgreSQL has by default', () => {
  const { pooled, jobs, listening } = allowed({ adminApis: 8, aiApis: 8, workers: 4 })
  expect(pooled + jobs + listening).toBeLessThanOrEqual(CONNECTIONS_MAX)
})

test('a server of each kind under load has no more connections than documented', async ({ skip }) => {
  skip(!hasPgBouncer, 'pgbouncer is not installed')
  const { url, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const counts = { adminApis: 1, aiApis: 1, workers: 1 }
  const { most, checks, failures } = await runProcesses(url, counts, 2_000)
  const { pooled, jobs, listening } = allowed(counts)
  expect(failures).toEqual([])
  expect(checks).toBeGreaterThan(0)
  expect(most.pooled).toBeLessThanOrEqual(pooled)
  expect(most.jobs).toBeLessThanOrEqual(jobs)
  expect(most.listening).toBe(listening)
})
