import { createTestDatabase } from '@switchboard/testing/test-database'
import { expect, inject, onTestFinished, test } from 'vitest'
import { isInstalled } from '#tests/proxies.ts'
import { isSupervisorInstalled } from './restartable-server.ts'
import { type RollingOptions, rollingRestart } from './rolling-restart.ts'

// HAProxy checks /readyz each second and switches after two failures; nginx notices a failed connection.
const NGINX = { balancer: 'nginx', drainSeconds: 3, restSeconds: 0, hasNginxDefaults: false } as const
const HAPROXY = { balancer: 'haproxy', drainSeconds: 5, restSeconds: 3, hasNginxDefaults: false } as const

test.for<[string, Omit<RollingOptions, 'requests'>]>([
  ['nginx', { ...NGINX, isRepeatable: true }],
  ['nginx and sockets kept by a supervisor', { ...NGINX, hasKeptSockets: true }],
  ['haproxy', HAPROXY],
])('restarts of two servers of each kind behind %s lose no request', async ([, options], { skip }) => {
  skip(!isInstalled(options.balancer), `${options.balancer} is not installed`)
  skip(options.hasKeptSockets === true && !isSupervisorInstalled, 'perl is not installed')
  const { url, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const rolled = await rollingRestart(url, { requests: 500, ...options })
  expect(rolled).toMatchObject({ lost: [], codes: [] })
  expect(rolled.requests).toBeGreaterThanOrEqual(500)
  expect(rolled.restarts).toBeGreaterThanOrEqual(4)
})
