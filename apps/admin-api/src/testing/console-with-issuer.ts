import { finishSingleSignOn } from '@switchboard/contract/single-sign-on'
import { makeUser } from '@switchboard/testing/factories'
import { afterAll } from 'vitest'
import { freePort } from './free-port.ts'
import { startHostileIssuer } from './hostile-issuer.ts'
import { CLIENT } from './identity-provider.ts'
import { startSsoApi } from './sso-api.ts'
import { openBrowser } from './sso-browser.ts'

type Claims = Record<string, unknown>
const PEOPLE = ['owner@example.com', 'known@example.com']

/** The console with single sign-on at an issuer on this machine, which signs the given claims. */
export async function consoleWith(mapping: string, { userInfo = false, metadata = {} } = {}) {
  const issuer = await startHostileIssuer()
  afterAll(() => issuer.close())
  issuer.metadata = { ...metadata, ...(userInfo && { userinfo_endpoint: `${issuer.url}/userinfo` }) }
  const consoleUrl = `http://127.0.0.1:${await freePort()}`
  const api = await startSsoApi(consoleUrl, issuer.url, { mapping })
  for (const email of PEOPLE) await makeUser(api.db, { email })

  /**
   * Signs in with these claims, added to the claims of every ID token. Returns the session, or the reason of the
   * failure.
   */
  const signIn = async (claims: Claims, sign: (all: Claims) => Promise<string> = issuer.sign.right) => {
    issuer.next = ({ iss, iat, exp, nonce }) => sign({ iss, aud: CLIENT.clientId, iat, exp, nonce, ...claims })
    const browser = openBrowser(consoleUrl)
    const place = await browser.comeBack(
      issuer.answerTo(await browser.start(), `${consoleUrl}${finishSingleSignOn.url}`),
    )
    const failure = /#sso-error=(\w+)$/.exec(place)?.[1]
    if (failure !== undefined) return failure
    const { admin } = JSON.parse((await browser.exchange(place)).body)
    return { email: admin.email, role: admin.role }
  }
  const lastReason = async () => {
    const entry = await api.db.selectFrom('audit_entries').select('reason').orderBy('seq', 'desc').executeTakeFirst()
    return entry?.reason ?? ''
  }
  const requestedScopes = async () => new URL(await openBrowser(consoleUrl).start()).searchParams.get('scope')
  return { issuer, api, signIn, lastReason, requestedScopes }
}
