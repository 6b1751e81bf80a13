import * as z from 'zod/mini'
import { hasOneProof, proofFields, type SecondFactorProof, signInChallenge } from './challenge.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { anyText, moment } from '#src/wire/text.ts'
import { PASSWORD_MAX } from './current-admin.ts'

/**
 * The proof of a confirmation. An account with a second factor answers the challenge of `auth.begin_confirm`. If its
 * passkey does not verify its user (`user_verification` of the request is `preferred`), it also sends the password.
 * Every other account only sends the password.
 * @example {"password":"four unrelated plain words"}
 */
export const confirmationProof = z
  .strictObject({
    /** Password of the account. */
    password: z.optional(anyText(PASSWORD_MAX)),
    /** Id of the challenge from `auth.begin_confirm`. */
    id: z.optional(z.uuid()),
    ...proofFields,
  })
  .check(
    z.refine(
      ({ password, id, ...proof }) =>
        id === undefined ? isEmpty(proof) && password !== undefined : hasOneProof(proof),
      {
        error: 'Send either a password, or the id of a challenge with one answer.',
      },
    ),
  )
export type ConfirmationProof = z.infer<typeof confirmationProof>

export const confirmation = z.object({
  /** Until when sensitive calls of the session are accepted. */
  confirmed_until: moment,
})
export type Confirmation = z.infer<typeof confirmation>

/** Does nothing, and is refused like a sensitive call. A form calls it before it is filled. */
export const checkConfirmation = endpoint('GET', '/api/v1/admin/auth/confirm', {
  config: { capability: 'own_account', confirmed: true },
  operationId: 'auth.check_confirm',
  summary: 'Check your confirmation',
  tags: ['Sign-in'],
  response: { 204: z.null() },
})

/** The challenge for a confirmation by the second factor; null for an account without one. */
export const beginConfirmation = endpoint('POST', '/api/v1/admin/auth/confirm/begin', {
  config: { capability: 'own_account', reads: true, limit: 'change', unenrolled: true },
  operationId: 'auth.begin_confirm',
  summary: 'Ask for your second factor',
  tags: ['Sign-in'],
  response: {
    200: z.object({
      /** The challenge. Null for an account without a second factor. */
      challenge: z.nullable(signInChallenge),
    }),
  },
})

/**
 * Confirms that the session is still used by its owner, for the sensitive calls of the next `CONFIRMED_MINUTES` minutes. 400
 * for a wrong password or answer, and for an account with a second factor that only sends its password. 429 with
 * `Retry-After` after too many.
 */
export const confirm = endpoint('POST', '/api/v1/admin/auth/confirm', {
  config: { capability: 'own_account', unenrolled: true },
  operationId: 'auth.confirm',
  summary: 'Confirm that it is you',
  tags: ['Sign-in'],
  body: confirmationProof,
  response: { 200: confirmation },
})

function isEmpty({ code, recovery_code, passkey }: SecondFactorProof): boolean {
  return code === undefined && recovery_code === undefined && passkey === undefined
}
