import * as z from 'zod/mini'
import { currentAdmin, PASSWORD_MAX } from '#src/auth/current-admin.ts'
import { EMAIL_MAX } from '#src/auth/email-address.ts'
import { hasOneProof, ONE_PROOF, proofFields, signInChallenge } from '#src/auth/challenge.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { errorBody } from '#src/wire/errors.ts'
import { anyText, moment } from '#src/wire/text.ts'

/** The answer to every refused sign-in, for any reason. */
export const SIGN_IN_REFUSED = 'Invalid email or password'

const tags = ['Sign-in']

/** A new session. */
const signedIn = z.object({
  /** Bearer token of the session. */
  access_token: z.string(),
  /** How to send the token: `Authorization: Bearer`. */
  token_type: z.literal('bearer'),
  /** End of the session. */
  expires_at: moment,
  /** The signed-in person. */
  admin: currentAdmin,
})
export type SignedIn = z.infer<typeof signedIn>

/** A refused sign-in. With `challenge` the password was right, and `auth.challenge` takes the second step. */
export const refusedSignIn = z.extend(errorBody, {
  /** The second step, after a right password. */
  challenge: z.optional(signInChallenge),
})

/**
 * Signs a person of the console in. 401 with `SIGN_IN_REFUSED`, or for an account with a second factor with `challenge`; 429
 * with `Retry-After` after too many failures.
 */
export const login = endpoint('POST', '/api/v1/admin/auth/login', {
  config: { public: true },
  operationId: 'auth.login',
  summary: 'Sign in',
  tags,
  body: z.strictObject({
    /** Email address of the account. */
    email: anyText(EMAIL_MAX),
    /** Password of the account. */
    password: anyText(PASSWORD_MAX),
  }),
  response: { 200: signedIn, 401: refusedSignIn },
})

/**
 * The second step of a sign-in: exactly one of `code`, `recovery_code` and `passkey`. 401 for a wrong answer, with the
 * code `challenge_ended` after five or after five minutes; 429 with `Retry-After` after too many failures.
 */
export const answerChallenge = endpoint('POST', '/api/v1/admin/auth/challenge', {
  config: { public: true },
  operationId: 'auth.challenge',
  summary: 'Sign in with the second factor',
  tags,
  /**
   * The challenge with exactly one of `code`, `recovery_code` and `passkey`.
   * @example {"id":"7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d","code":"123456"}
   */
  body: z
    .strictObject({
      /** Id of the challenge. */
      id: z.uuid(),
      ...proofFields,
    })
    .check(z.refine(hasOneProof, { error: ONE_PROOF })),
  response: { 200: signedIn },
})

/** A challenge for a sign-in with only a passkey, for `auth.challenge` within five minutes. */
export const beginPasskeySignIn = endpoint('POST', '/api/v1/admin/auth/passkey', {
  config: { public: true, reads: true },
  operationId: 'auth.begin_passkey',
  summary: 'Begin to sign in with a passkey',
  tags,
  response: { 200: signInChallenge },
})
