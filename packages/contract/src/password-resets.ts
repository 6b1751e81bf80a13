import * as z from 'zod/mini'
import { email } from './auth/current-admin.ts'
import { newPassword } from './auth/passwords.ts'
import { linkToken } from './links.ts'
import { endpoint } from './wire/endpoint.ts'

/** Maximum number of links for one address within an hour, from all networks. */
export const PASSWORD_RESETS_PER_HOUR = 3

/** The answer to every request for a password reset, for known and unknown addresses. */
export const RESET_REQUESTED = 'If an active account has this address, a link is on its way.'

const tags = ['Sign-in']

/**
 * Asks for a link that resets the password. The answer and its work are the same for every address: a worker looks for
 * the account later, and sends no mail to an account that may only use single sign-on. Earlier links stay valid. 409 if
 * the server sends no mail, 429 with `Retry-After` after too many requests for an address or from a network.
 */
export const forgotPassword = endpoint('POST', '/api/v1/admin/auth/forgotten-password', {
  config: { public: true },
  operationId: 'auth.forgotten_password',
  summary: 'Ask for a link that resets the password',
  tags,
  body: z.strictObject({
    /** Email address of the account. */
    email,
  }),
  response: {
    202: z.object({
      /** The same sentence for every address. */
      message: z.literal(RESET_REQUESTED),
    }),
  },
})

/**
 * Replaces the password of the account. Ends all its reset links and sessions, and forgets its failed sign-ins. Service
 * tokens that the person made keep working, unless `revoke_tokens` is true. 404 for a link that no longer works, 422 for a
 * guessable password.
 */
export const resetPassword = endpoint('POST', '/api/v1/admin/auth/reset-password', {
  config: { public: true },
  operationId: 'auth.reset_password',
  summary: 'Reset the password',
  tags,
  body: z.strictObject({
    token: linkToken,
    /** The new password. */
    password: newPassword,
    /** Whether to revoke the service tokens that the person made. By default they keep working. */
    revoke_tokens: z.optional(z.boolean()),
  }),
  response: { 204: z.null() },
})
