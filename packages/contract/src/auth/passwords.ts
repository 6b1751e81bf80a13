import * as z from 'zod/mini'
import { CONSOLE_PASSWORD_MIN, PASSWORD_MAX, PASSWORD_MIN } from './current-admin.ts'
import { EMAIL_MAX } from './email-address.ts'
import { consoleLinkKind, linkToken } from '#src/links.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { anyText } from '#src/wire/text.ts'

/** Owners of a password: the users of a tenant, or the members, who run the console. */
export const passwordOwner = z.enum(['tenant', 'console'])
export type PasswordOwner = z.infer<typeof passwordOwner>

const NEW_PASSWORD_TOO_SHORT = `New password must be at least ${PASSWORD_MIN} characters long`
export const CONSOLE_PASSWORD_TOO_SHORT = `Use at least ${CONSOLE_PASSWORD_MIN} characters: this account runs the console.`

/** A new password. Each owner has further rules: see `lengthProblem` and `checkPassword`. */
export const newPassword = anyText(PASSWORD_MAX).check(
  z.refine((password) => lengthProblem(password, 'tenant') === null, NEW_PASSWORD_TOO_SHORT),
)

/** Why a new password is too short for its owner, as a sentence, or `null`. Characters are code points. */
export function lengthProblem(password: string, owner: PasswordOwner): string | null {
  const { length } = [...password]
  if (length < PASSWORD_MIN) return NEW_PASSWORD_TOO_SHORT
  return owner === 'console' && length < CONSOLE_PASSWORD_MIN ? CONSOLE_PASSWORD_TOO_SHORT : null
}

/** Names known to the form: the email address as typed so far, the tenant's name and subdomain. */
const NAMES_MAX = 4

/** The server's judgment of a new password, for a hint beside the field. `problem` is the reason for a refusal. */
export const passwordHint = z.object({
  /** Strength of the password. */
  strength: z.enum(['weak', 'fair', 'strong']),
  /** Why the password would be refused, as a sentence. Null if it would be accepted. */
  problem: z.nullable(z.string()),
})
export type PasswordHint = z.infer<typeof passwordHint>

/** Judges a new password by the rule for saving a password. Nothing is stored or logged. */
export const checkPassword = endpoint('POST', '/api/v1/admin/passwords/check', {
  config: { capability: 'own_account', reads: true, limit: 'password_check' },
  operationId: 'passwords.check',
  summary: 'Judge a new password',
  tags: ['Own account'],
  body: z.strictObject({
    /** The password to judge. */
    password: newPassword,
    /** Whether the password is for a user of a tenant or for the console. */
    owner: passwordOwner,
    /** Names that the password must not contain, such as the email address of its owner. */
    names: z.array(anyText(EMAIL_MAX)).check(z.maxLength(NAMES_MAX)),
  }),
  response: { 200: passwordHint },
})

/**
 * Judges the first or new password of the account of a link, which stays valid. Nothing is stored or logged. 404 for a
 * link that no longer works.
 */
export const checkLinkPassword = endpoint('POST', '/api/v1/admin/auth/links/check-password', {
  config: { public: true, reads: true, limit: 'password_check' },
  operationId: 'passwords.check_with_link',
  summary: 'Judge the password for an invitation or a reset',
  tags: ['Sign-in'],
  body: z.strictObject({
    /** Kind of the link. */
    kind: consoleLinkKind,
    /** Token of the link. */
    token: linkToken,
    /** The password to judge. */
    password: newPassword,
  }),
  response: { 200: passwordHint },
})
