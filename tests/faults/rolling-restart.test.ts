import { createTestDatabase } from '@switchboard/testing/test-database'
import { expect, inject, onTestFinished, test } from 'vitest'
import { isInstalled } from '#tests/proxies.ts'
import { rollingRestart } from './rolling-restart.ts'

test.for(['nginx', 'haproxy'] as const)(
  'restarts of two servers of each kind behind %s lose no request',
  async (balancer, { skip }) => {
    skip(!isInstalled(balancer), `${balancer} is not installed`)
    const { url, drop } = await createTestDatabase(inject('postgresUrl'))
    onTestFinished(drop)
    // HAProxy checks /readyz each second and switches after two failures; nginx notices a failed connection.
    const pace =
      balancer === 'nginx'
        ? { drainSeconds: 2, restSeconds: 0, isRepeatable: true }
        : { drainSeconds: 5, restSeconds: 3, isRepeatable: false }
    const rolled = await rollingRestart(url, { balancer, requests: 1_000, hasNginxDefaults: false, ...pace })
    expect(rolled).toMatchObject({ lost: [], codes: [] })
    expect(rolled.requests).toBeGreaterThanOrEqual(1_000)
    expect(rolled.restarts).toBeGreaterThanOrEqual(4)
  },
)
