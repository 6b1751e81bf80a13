import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { moment, text } from '#src/wire/text.ts'
import { PASSWORD_MAX } from './current-admin.ts'

/** The proof of a confirmation, one alternative for each kind. */
export const confirmationProof = z.union([z.strictObject({ password: text(PASSWORD_MAX) })])
export type ConfirmationProof = z.infer<typeof confirmationProof>

export const confirmation = z.object({ confirmed_until: moment })
export type Confirmation = z.infer<typeof confirmation>

/**
 * Confirms that the session is still used by its owner, for the sensitive calls of the next `CONFIRMED_MINUTES`. 400 for a
 * wrong password, 429 with `Retry-After` after too many.
 */
export const confirm = endpoint('POST', '/api/v1/admin/auth/confirm', {
  config: { capability: 'own_account' },
  operationId: 'auth.confirm',
  summary: 'Confirm that it is you',
  tags: ['Sign-in'],
  body: confirmationProof,
  response: { 200: confirmation },
})
