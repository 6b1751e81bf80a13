import * as z from 'zod/mini'
import { login } from '#src/auth.ts'
import { SIGN_ON_PATH } from '#src/single-sign-on/sign-on-path.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { anyText, text } from '#src/wire/text.ts'

// Single sign-on by OpenID Connect. The paths begin with `auth/oidc`, as identity providers have them on record.

/** Reasons for which a single sign-on fails. The console has a sentence for each. */
const ssoFailure = z.enum([
  /** The identity provider refused, or the person canceled. */
  'denied',
  /** The answer came too late, twice, or in another browser. */
  'expired',
  /** The answer of the identity provider did not pass the checks. */
  'refused',
  /** No value of the claim has a role. */
  'no_role',
  /** No usable email address among the claims. */
  'no_email',
  /** The email address needs to be verified by the identity provider. */
  'email_unverified',
  /** The email address belongs to an account that single sign-on must not open. */
  'email_taken',
  /** The account is inactive. */
  'inactive',
  /** The throttle refused the attempt. */
  'too_many',
  /** The identity provider cannot be reached, is not configured, or the console itself failed. */
  'unavailable',
])
export type SsoFailure = z.infer<typeof ssoFailure>

/** `actor_email` of entries by the identity provider. */
export const SINGLE_SIGN_ON_ACTOR = 'single sign-on'
/** Action in the audit log when access ends because the identity provider no longer gives the account a role. */
export const ROLE_LOST_ACTION = 'single_sign_on.no_role'
/** Time for a sign-in at the identity provider. */
export const SSO_MINUTES = 10
/** Lifetime of the code that the page exchanges for a session. */
export const SSO_CODE_SECONDS = 60

/** The answer to a right password while `PASSWORD_SIGN_IN` is off. */
export const PASSWORD_SIGN_IN_OFF = 'Sign in with single sign-on. Passwords are turned off for this account.'
/** The answer to a code that is unknown, used or older than `SSO_CODE_SECONDS`. */
export const SSO_CODE_REFUSED = 'This sign-in has expired. Sign in again.'

const tags = ['Sign-in']

/**
 * Begins a single sign-on: a navigation of the browser. Sets a cookie that binds the sign-in to the browser, and redirects to
 * the identity provider. Every error redirects to `/login#sso-error=<reason>`.
 */
export const startSingleSignOn = endpoint('GET', SIGN_ON_PATH, {
  config: { public: true },
  operationId: 'single_sign_on.start',
  summary: 'Begin a single sign-on',
  tags,
  hide: true,
  querystring: z.strictObject({
    /** Path of the console to open after the sign-in. Any other address is ignored. */
    redirect: z.optional(anyText(2_000)),
  }),
  response: { 302: z.null() },
})

/** A parameter of the answer of an identity provider. */
const parameter = z.optional(anyText(4_096))

/**
 * The way back from the identity provider: a navigation of the browser. Checks the answer, and redirects to
 * `/login#sso=<code>`, or after every error to `/login#sso-error=<reason>`. Further parameters are ignored.
 */
export const finishSingleSignOn = endpoint('GET', '/api/v1/admin/auth/oidc/callback', {
  config: { public: true },
  operationId: 'single_sign_on.callback',
  summary: 'Finish a single sign-on',
  tags,
  hide: true,
  querystring: z.object({
    /** Code of the identity provider, for its tokens. */
    code: parameter,
    /** Value that binds the answer to its request. */
    state: parameter,
    /** Address of the identity provider. */
    iss: parameter,
    /** Code of a refusal. */
    error: parameter,
    /** Text of a refusal. */
    error_description: parameter,
  }),
  response: { 302: z.null() },
})

/**
 * Exchanges the code of a single sign-on for a session, once, in the browser of the sign-in. Creates the account at the first
 * sign-in, and renews its role at each. 401 for a used, expired or unknown code.
 */
export const openSingleSignOn = endpoint('POST', '/api/v1/admin/auth/oidc/session', {
  config: { public: true, cookie: true },
  operationId: 'single_sign_on.session',
  summary: 'Open the session of a single sign-on',
  tags,
  body: z.strictObject({
    /** The code from the address of the page. */
    code: text(100),
  }),
  response: { 200: login.schema.response[200] },
})

/**
 * OpenID Connect Back-Channel Logout 1.0: the identity provider ends the sessions of an identity, or one of them. 400 for a
 * token that is not valid or was sent before.
 */
export const backChannelLogout = endpoint('POST', '/api/v1/admin/auth/oidc/backchannel-logout', {
  config: { public: true },
  operationId: 'single_sign_on.logout',
  summary: 'End the sessions of an identity',
  tags,
  consumes: ['application/x-www-form-urlencoded', 'application/json'],
  body: z.strictObject({
    /** Signed token of the identity provider. */
    logout_token: text(16_384),
  }),
  response: { 200: z.null() },
})
