import { parseSettings } from '@switchboard/server/settings/env'
import { startConnectProxy } from '@switchboard/testing/connect-proxy'
import { expect, onTestFinished, test } from 'vitest'
import { findingsOf } from '#scripts/doctor/finding.ts'
import { reachabilityChecks } from '#scripts/doctor/reachability-checks.ts'

test('doctor calls external services through the HTTP proxy, and our servers directly', async () => {
  const proxy = await startConnectProxy({ ports: {} })
  onTestFinished(() => proxy.close())
  const settings = parseSettings({
    DATABASE_URL: 'postgresql://switchboard@db.internal/switchboard',
    PUBLIC_URL: 'http://127.0.0.1:1',
    AI_API_URL: 'http://127.0.0.1:1',
    HTTPS_PROXY: proxy.url,
    GOOGLE_MAPS_API_KEY: 'key',
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'c',
    OIDC_CLIENT_SECRET: 's',
    OIDC_ROLES: 'g: a=support',
  })
  const texts = new Map<string, string>()
  for await (const { check, state, text } of findingsOf(reachabilityChecks(settings, null)))
    texts.set(check, `${state}: ${text}`)
  expect(proxy.targets).toEqual(['places.googleapis.com:443', 'id.example:443'])
  expect(texts.get('google')).toMatch(/^failed: https:\/\/places\.googleapis\.com does not answer/)
  expect(texts.get('identity provider')).toMatch(/^failed: https:\/\/id\.example does not answer/)
})
