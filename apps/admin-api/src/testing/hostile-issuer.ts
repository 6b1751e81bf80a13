import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { CLIENT } from './identity-provider.ts'

type Claims = Record<string, unknown>

/** Signs a token with the key of the issuer, with another key of the same id, or not at all. */
type Signer = (claims: Claims) => Promise<string>

type HostileIssuer = {
  url: string
  /** Overrides of the discovery document. */
  metadata: Claims
  isDown: boolean
  /** The answer of the userinfo endpoint, if the metadata names `/userinfo`. */
  userInfo: { status: number; body: Claims }
  /** The ID token, or the body of the token endpoint, for the right claims. */
  next: (claims: Claims) => Promise<Claims | string>
}

/** An issuer that answers with the ID token of the test, until it is closed. */
export async function startHostileIssuer() {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const keys = [{ ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }]
  const signedBy =
    (key: CryptoKey, header: Record<string, string> = {}): Signer =>
    async (claims) =>
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own', ...header }).sign(key)
  const sign = {
    right: signedBy(own.privateKey),
    byOtherKey: signedBy(other.privateKey),
    byUnknownKey: signedBy(other.privateKey, { kid: 'other' }),
    withSecret: async (claims: Claims) =>
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT.clientSecret)),
    unsigned: async (claims: Claims) => new UnsecuredJWT(claims).encode(),
  }
  const issuer: HostileIssuer = {
    url: '',
    metadata: {},
    isDown: false,
    userInfo: { status: 200, body: {} },
    next: sign.right,
  }
  const server = createServer((request, response) => {
    if (issuer.isDown) return void request.destroy()
    if (request.url === '/keys') return answer(response, { keys })
    if (request.url === '/userinfo') {
      response.statusCode = issuer.userInfo.status
      return answer(response, issuer.userInfo.body)
    }
    if (request.url === '/token') return void tokenAnswer().then((body) => answer(response, body))
    answer(response, {
      issuer: issuer.url,
      authorization_endpoint: `${issuer.url}/authorize`,
      token_endpoint: `${issuer.url}/token`,
      jwks_uri: `${issuer.url}/keys`,
      ...issuer.metadata,
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  issuer.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`

  /** The nonce of the sign-in whose code is exchanged next. */
  let nonce: string | null = null
  async function tokenAnswer(): Promise<Claims> {
    const seconds = Math.floor(Date.now() / 1_000)
    const next = await issuer.next({
      iss: issuer.url,
      aud: CLIENT.clientId,
      sub: 'mallory',
      iat: seconds,
      exp: seconds + 60,
      nonce,
      email: 'mallory@example.com',
      email_verified: true,
      groups: ['platform-admins'],
    })
    const body = typeof next === 'string' ? { id_token: next } : next
    return { access_token: 'any', token_type: 'bearer', ...body }
  }

  return Object.assign(issuer, {
    sign,
    /** The address of the answer for a sign-in that began with this address, as the issuer would redirect. */
    answerTo: (authorization: string, redirectUri: string): string => {
      const { searchParams } = new URL(authorization)
      nonce = searchParams.get('nonce')
      const query = new URLSearchParams({ code: 'any', state: searchParams.get('state') ?? '' })
      return `${redirectUri}?${query.toString()}`
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function answer(response: ServerResponse, body: Claims): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}
