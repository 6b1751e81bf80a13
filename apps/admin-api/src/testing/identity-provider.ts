import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

export const CLIENT = { clientId: 'console', clientSecret: 'secret-of-the-console-at-its-provider' }

/** Claims of a person at the identity provider. */
type Person = { email?: string; email_verified?: boolean; groups?: string[] }

export type IdentityProvider = {
  issuer: string
  /** People by their subject. Tests change the claims. */
  people: Map<string, Person>
  close: () => Promise<void>
}

/**
 * A real OpenID Connect provider (oidc-provider) on a free port of this machine, for the console at `consoleUrl`. Its sign-in
 * page has a field for the subject, and its page /session/end signs out everywhere.
 */
export async function startIdentityProvider(
  consoleUrl: string,
  { claimsInIdToken = false }: { claimsInIdToken?: boolean } = {},
): Promise<IdentityProvider> {
  const people = new Map<string, Person>()
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${addressOf(server.address()).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [`${consoleUrl}/api/v1/admin/auth/oidc/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        backchannel_logout_uri: `${consoleUrl}/api/v1/admin/auth/oidc/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of the cookies of this provider'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    conformIdTokenClaims: !claimsInIdToken,
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...people.get(accountId) }) }),
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = page(
            `${form}<button type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button>`,
          )
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.body = page('<p>Signed out</p>')
        },
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    // Everyone agrees to everything.
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId,
        accountId: ctx.oidc.session?.accountId,
      })
      grant.addOIDCScope('openid email groups')
      await grant.save()
      return grant
    },
    // By default, the provider refuses to call this machine.
    fetch: async (url, options = {}) =>
      await fetch(url, Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'dispatcher'))),
  })
  const answer = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/interaction/') === true) void interact(provider, request, response)
    else void answer(request, response)
  })
  return {
    issuer,
    people,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html')
    response.end(
      page('<form method="post"><label>Subject <input name="sub" /></label><button>Continue</button></form>'),
    )
    return
  }
  const subject = new URLSearchParams(await text(request)).get('sub') ?? ''
  const result = subject === '' ? { error: 'access_denied' } : { login: { accountId: subject } }
  await provider.interactionFinished(request, response, result)
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><head><title>Identity provider</title><link rel="icon" href="data:,"></head><body><h1>Identity provider</h1>${body}</body></html>`
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.')
  return address
}
