import { createTestDatabase } from '@switchboard/testing/test-database'
import { expect, inject, onTestFinished, test } from 'vitest'
import { isInstalled } from '#tests/proxies.ts'
import { isSupervisorInstalled } from './restartable-server.ts'
import { type RollingOptions, rollingRestart } from './rolling-restart.ts'

// HAProxy and Caddy check /readyz each second; nginx notices a failed connection.
const NGINX = { balancer: 'nginx', drainSeconds: 3, restSeconds: 0, hasNginxDefaults: false } as const
const CHECKING = { drainSeconds: 5, restSeconds: 3, hasNginxDefaults: false } as const

test.for<[string, RollingOptions]>([
  ['nginx', { ...NGINX, requests: 3_000, isRepeatable: true }],
  ['nginx and sockets kept by a supervisor', { ...NGINX, requests: 500, hasKeptSockets: true }],
  ['haproxy', { ...CHECKING, requests: 500, balancer: 'haproxy' }],
  ['caddy', { ...CHECKING, requests: 500, balancer: 'caddy' }],
])('restarts of two servers of each kind behind %s lose no request', async ([, options], { skip }) => {
  skip(!isInstalled(options.balancer), `${options.balancer} is not installed`)
  skip(options.hasKeptSockets === true && !isSupervisorInstalled, 'perl is not installed')
  const { url, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const rolled = await rollingRestart(url, options)
  expect(rolled).toMatchObject({ lost: [], codes: [] })
  expect(rolled.requests).toBeGreaterThanOrEqual(options.requests)
  expect(rolled.restarts).toBeGreaterThanOrEqual(4)
})
