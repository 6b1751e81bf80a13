import { readState } from '@switchboard/database/installation'
import type { Database } from '@switchboard/database/tables'
import { parseSettings } from '@switchboard/server/settings/env'
import { createTestDatabase } from '@switchboard/testing/test-database'
import type { Kysely } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Check, findingsOf } from '#scripts/doctor/finding.ts'
import { reachabilityChecks } from '#scripts/doctor/reachability-checks.ts'
import { answering } from '#tests/answering.ts'
import { resultsOf } from '#tests/findings.ts'
import { SHARED_SECRET, startProcess } from '#tests/server-process.ts'

// `npm run doctor` calls the servers and the external services.

const REMOTE = 'postgresql://switchboard@db.internal/switchboard'
/** Nothing answers there. */
const CLOSED = 'http://127.0.0.1:1'

async function database() {
  const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  return { db, url }
}

describe('a service that cannot be reached', () => {
  const checksOf = (env: Record<string, string>): Check[] =>
    reachabilityChecks(parseSettings({ DATABASE_URL: REMOTE, PUBLIC_URL: CLOSED, AI_API_URL: CLOSED, ...env }), 'this')
  const resultsWith = (env: Record<string, string>) => resultsOf(findingsOf(checksOf(env)))

  test('names the setting of each', async () => {
    const oidc = { OIDC_ISSUER: CLOSED, OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's', OIDC_ROLES: 'g: a=support' }
    const results = await resultsWith({
      ...oidc,
      GOOGLE_MAPS_API_KEY: 'key',
      GOOGLE_PLACES_URL: CLOSED,
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'a@example.com',
    })
    expect(results).toMatchObject({
      console: expect.stringMatching(/^warning: .*Start the server and its proxy, or correct PUBLIC_URL\.$/),
      'ai-api': expect.stringMatching(/^failed: .*Start the server and its proxy, or correct AI_API_URL\.$/),
      google: expect.stringMatching(/^failed: .*GOOGLE_PLACES_URL/),
      'mail server': 'failed: The mail server cannot be reached.',
      'identity provider': expect.stringMatching(/^failed: /),
    })
    expect((await resultsWith({}))['google']).toMatch(/^warning: GOOGLE_MAPS_API_KEY is not set/)
  })

  test('the server of another installation on the same port', async () => {
    const [own, other] = [await database(), await database()]
    const server = startProcess({ DATABASE_URL: other.url, WEBHOOK_SECRET: SHARED_SECRET })
    const address = await server.ready()
    const checkedFrom = async ({ db }: { db: Kysely<Database> }) => {
      const settings = parseSettings({ DATABASE_URL: REMOTE, PUBLIC_URL: address, AI_API_URL: CLOSED })
      const { installation } = await readState(db)
      return (await resultsOf(findingsOf(reachabilityChecks(settings, installation))))['console']
    }
    expect(await checkedFrom(other)).toBe(`ok: ${address} answers.`)
    expect(await checkedFrom(own)).toBe(
      `failed: ${address} is the server of another installation: it uses another database. Correct PUBLIC_URL.`,
    )
    server.child.kill('SIGTERM')
    await server.ended
  })

  test('another server, another release and another issuer', async () => {
    const other = await answering({ issuer: 'https://other.example' })
    const old = await answering({ status: 'ok', version: '0.0.1' })
    const results = await resultsWith({
      PUBLIC_URL: other,
      AI_API_URL: old,
      OIDC_ISSUER: other,
      OIDC_CLIENT_ID: 'c',
      OIDC_CLIENT_SECRET: 's',
      OIDC_ROLES: 'g: a=support',
    })
    expect(results['console']).toContain('does not answer as Switchboard does')
    expect(results['ai-api']).toMatch(/^warning: .* runs release 0\.0\.1/)
    expect(results['identity provider']).toContain('but the provider there is https://other.example')
  })
})
