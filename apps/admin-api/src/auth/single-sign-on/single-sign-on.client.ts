import type { SsoFailure } from '@switchboard/contract/single-sign-on'
import { outboundAgent } from '@switchboard/server/outbound/outbound-agent'
import type { OutboundProxies } from '@switchboard/server/settings/outbound-proxies'
import { cleanLine } from '@switchboard/contract/wire/text'
import type { OidcSettings } from '@switchboard/server/settings/oidc'
import type { Log } from '@switchboard/server/process/log'
import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify, type RemoteJWKSet } from 'jose'
import * as openid from 'openid-client'
import { type Dispatcher, request } from 'undici'
import { z } from 'zod'
import { claimAt, type Claims, idClaims, type LogoutClaims, logoutClaims } from './claims.ts'

/** Limits of a connection, a whole call and an answer. */
const CONNECT_MS = 5_000
const TOTAL_SECONDS = 15
const BODY_MAX = 1_048_576
/** Oldest accepted logout token, and tolerated difference of clocks. */
const LOGOUT_TOKEN_AGE_SECONDS = 300
const CLOCK_TOLERANCE_SECONDS = 30

/** A failed sign-in. `reason` is for the person, the message for the audit log. */
export class SsoError extends Error {
  override readonly name = 'SsoError'
  readonly reason: SsoFailure

  constructor(reason: SsoFailure, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Secrets of one sign-in, from its start to the answer of the identity provider. */
type FlowSecrets = { state: string; nonce: string; code_verifier: string }

export type SingleSignOn = {
  settings: OidcSettings
  /** Discovers the identity provider before the first sign-in. Logs a failure; the next sign-in tries again. */
  warmUp(): Promise<void>
  /** Address of the identity provider for a sign-in. Throws an SsoError. */
  authorizationUrl(secrets: FlowSecrets): Promise<URL>
  /**
   * Takes the query string of the answer. Returns the verified claims, and the reason if the userinfo endpoint did not
   * complete them. `mayLackClaims` is true if it could not be asked, so that an absent claim means nothing. Throws an
   * SsoError.
   */
  claimsOf(
    answer: string,
    secrets: FlowSecrets,
    now: Date,
  ): Promise<{ claims: Claims; userInfoFailure: string | null; mayLackClaims: boolean }>
  /** The verified claims of a logout token. Throws for an invalid token. */
  verifyLogoutToken(token: string, now: Date): Promise<LogoutClaims>
  /** Closes the connections. */
  close(): Promise<void>
}

type Provider = { config: openid.Configuration; keys: RemoteJWKSet }

/** A client of the identity provider. `redirectUri` is the address of the way back. */
export function createSingleSignOn(
  settings: OidcSettings,
  redirectUri: string,
  log: Log,
  proxies?: OutboundProxies,
): SingleSignOn {
  const dispatcher = outboundAgent(proxies, { connectMs: CONNECT_MS, bodyMax: BODY_MAX })
  const fetchAnswer = fetchThrough(dispatcher)
  let discovered: Promise<Provider> | undefined

  /** Discovers the identity provider once. A failure is not kept, so the next call tries again. */
  async function provider(): Promise<Provider> {
    discovered ??= discover(settings, fetchAnswer)
    const current = discovered
    try {
      return await current
    } catch (error) {
      if (discovered === current) discovered = undefined
      throw new SsoError('unavailable', `The identity provider cannot be used: ${textOf(error)}`)
    }
  }

  return {
    settings,
    async warmUp() {
      await provider().catch((error: unknown) =>
        log.warn({ issuer: settings.issuer }, `single sign-on is not available: ${textOf(error)}`),
      )
    },
    async authorizationUrl({ state, nonce, code_verifier }) {
      const { config } = await provider()
      const { scopes_supported = [] } = config.serverMetadata()
      // Some identity providers put a claim into the token only if its scope was requested: a scope with the same name,
      // or "profile", which also has the name of the person.
      const wanted = [settings.roles.claim, 'profile'].filter((name) => scopes_supported.includes(name))
      const scopes = new Set(['openid', 'email', ...wanted])
      return openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: [...scopes].join(' '),
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
      })
    },
    async claimsOf(answer, { state, nonce, code_verifier }, now) {
      const { config } = await provider()
      try {
        const tokens = await openid.authorizationCodeGrant(config, new URL(answer, redirectUri), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: code_verifier,
        })
        const inToken = tokens.claims()
        if (inToken === undefined) throw new SsoError('refused', 'The answer has no ID token.')
        // openid-client only checks "nbf", which few identity providers send.
        if (inToken.iat > now.getTime() / 1_000 + CLOCK_TOLERANCE_SECONDS)
          throw new SsoError('refused', 'The ID token has an "iat" (issued at) in the future. Compare the clocks.')
        const isComplete = claimAt(inToken, settings.roles.claim) !== undefined && inToken['email'] !== undefined
        const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
        const further = isComplete || !hasUserInfo ? {} : await userInfo(config, tokens.access_token, inToken.sub)
        const userInfoFailure =
          further instanceof Error ? `userinfo_failed: the userinfo endpoint failed: ${textOf(further)}.` : null
        if (userInfoFailure !== null) log.warn({ issuer: settings.issuer }, userInfoFailure)
        return {
          claims: idClaims.parse({ ...(further instanceof Error ? {} : further), ...inToken }),
          userInfoFailure,
          mayLackClaims: further instanceof Error && !isRefusal(further),
        }
      } catch (error) {
        throw failureOf(error)
      }
    },
    async verifyLogoutToken(token, now) {
      const { config, keys } = await provider()
      const { payload } = await jwtVerify(token, keys, {
        issuer: config.serverMetadata().issuer,
        audience: settings.clientId,
        currentDate: now,
        maxTokenAge: LOGOUT_TOKEN_AGE_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      })
      return logoutClaims.parse(payload)
    },
    close: () => dispatcher.destroy(),
  }
}

async function discover(
  { issuer, clientId, clientSecret }: OidcSettings,
  fetchAnswer: ReturnType<typeof fetchThrough>,
): Promise<Provider> {
  // Without this, openid-client trusts an ID token from the token endpoint only because of the TLS connection.
  const execute = [openid.enableNonRepudiationChecks]
  // The settings accept plain http for this machine only.
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated as a warning only: nothing replaces it for plain http
  if (issuer.startsWith('http:')) execute.push(openid.allowInsecureRequests)
  const config = await openid.discovery(new URL(issuer), clientId, clientSecret, authenticateClient(clientSecret), {
    [openid.customFetch]: fetchAnswer,
    execute,
    timeout: TOTAL_SECONDS,
  })
  const { authorization_endpoint, token_endpoint, jwks_uri } = config.serverMetadata()
  if (authorization_endpoint === undefined || token_endpoint === undefined || jwks_uri === undefined)
    throw new Error('its metadata lacks authorization_endpoint, token_endpoint or jwks_uri')
  const keys = createRemoteJWKSet(new URL(jwks_uri), {
    [joseFetch]: async (url, { headers, method, signal }) =>
      await fetchAnswer(url, { headers: Object.fromEntries(headers), method, signal, redirect: 'manual', body: null }),
    timeoutDuration: TOTAL_SECONDS * 1_000,
  })
  return { config, keys }
}

/** The secret in the body where the identity provider lists this method, because servers decode it differently in a header. */
function authenticateClient(secret: string): openid.ClientAuth {
  const [inBody, inHeader] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const takesBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    return takesBody ? inBody(server, ...rest) : inHeader(server, ...rest)
  }
}

/**
 * The claims of the userinfo endpoint. Returns an error instead of throwing it, because the ID token may have all that
 * a sign-in needs.
 */
async function userInfo(config: openid.Configuration, token: string, subject: string): Promise<object | Error> {
  try {
    return await openid.fetchUserInfo(config, token, subject)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Whether the userinfo endpoint refuses the token, as the one of Entra ID always does. */
function isRefusal(error: Error): boolean {
  const status = withStatus.safeParse(error).data?.status ?? withStatus.safeParse(error.cause).data?.status
  return status === 401 || status === 403
}

const withStatus = z.object({ status: z.number() })

/** The failure for an error of openid-client or of the network. */
function failureOf(error: unknown): SsoError {
  if (error instanceof SsoError) return error
  const alg = algorithmOf(error)
  if (alg.startsWith('HS'))
    return new SsoError(
      'refused',
      `The ID token has the "alg" ${alg}: it is signed with the client secret. Set a signing key, such as RS256, at the identity provider.`,
    )
  if (error instanceof openid.AuthorizationResponseError)
    return new SsoError('denied', `The identity provider answered ${cleanLine(error.error).slice(0, 100)}.`)
  return isCausedByNetwork(error)
    ? new SsoError('unavailable', `The identity provider did not answer: ${textOf(error)}`)
    : new SsoError('refused', `The answer of the identity provider is not valid: ${textOf(error)}`)
}

function algorithmOf(error: unknown): string {
  const { data } = refusedToken.safeParse(error)
  return data?.cause.header.alg ?? (error instanceof Error && error.cause !== undefined ? algorithmOf(error.cause) : '')
}

const refusedToken = z.object({ cause: z.object({ header: z.object({ alg: z.string() }) }) })

function isCausedByNetwork(error: unknown): boolean {
  return error instanceof Error && (error instanceof NetworkError || isCausedByNetwork(error.cause))
}

class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

function fetchThrough(dispatcher: Dispatcher): openid.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    try {
      const answer = await request(url, {
        dispatcher,
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        body: body instanceof URLSearchParams ? body.toString() : null,
        ...(signal && { signal }),
      })
      const content = await answer.body.arrayBuffer()
      const answerHeaders = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((each): [string, string] => [name, each]),
      )
      const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304
      return new Response(hasBody ? content : null, { status: answer.statusCode, headers: answerHeaders })
    } catch (error) {
      throw new NetworkError(textOf(error), { cause: error })
    }
  }
}

/** Text of an error with its cause, for logs and the audit log. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause =
    error.cause instanceof Response
      ? ` (HTTP status ${error.cause.status})`
      : error.cause instanceof Error
        ? ` (${error.cause.message})`
        : ''
  return `${error.message || error.name}${cause}`.slice(0, 300)
}
