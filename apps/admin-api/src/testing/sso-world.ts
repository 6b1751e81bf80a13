import { makeUser } from '@switchboard/testing/factories'
import { afterAll } from 'vitest'
import { freePort } from './free-port.ts'
import { startIdentityProvider } from './identity-provider.ts'
import { startSsoApi } from './sso-api.ts'
import { openBrowser } from './sso-browser.ts'

type Claims = { email?: string; email_verified?: boolean; groups?: string[] }

/** admin-api with a real identity provider and a super admin who does not use single sign-on. Ends with the test file. */
export async function startSsoWorld() {
  const consoleUrl = `http://127.0.0.1:${await freePort()}`
  const provider = await startIdentityProvider(consoleUrl)
  afterAll(() => provider.close())
  const api = await startSsoApi(consoleUrl, provider.issuer)
  const { db } = api
  // The last super admin keeps the role; with this account, no person of a test is the last.
  await makeUser(db, { email: 'owner@example.com' })

  /** A person with a new subject and these claims, and a browser. */
  function personAt(claims: Claims = {}) {
    const subject: string = crypto.randomUUID()
    const email = `${subject}@example.com`
    provider.people.set(subject, { email, email_verified: true, groups: ['platform-admins'], ...claims })
    return { subject, email: claims.email ?? email, browser: openBrowser(consoleUrl) }
  }

  /** Signs in up to the redirect to /login. */
  const placeAfterSignIn = async ({ subject, browser }: ReturnType<typeof personAt>, redirect?: string) =>
    await browser.comeBack(await browser.signInThere(await browser.start(redirect), subject))

  /** Status of a call with this token. */
  const statusWith = async (token: string) =>
    (await fetch(`${consoleUrl}/api/v1/admin/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status

  const lastAudit = async (count = 1) =>
    (await db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').limit(count).execute()).toReversed()

  return { consoleUrl, provider, api, db, personAt, placeAfterSignIn, statusWith, lastAudit }
}
