import * as z from 'zod/mini'
import { text } from './wire/text.ts'

/** Kinds of single-use links to the console. */
export const consoleLinkKind = z.enum(['invitation', 'password_reset', 'email_change'])
export type ConsoleLinkKind = z.infer<typeof consoleLinkKind>
/** Kinds of single-use links. The invitation of a user leads to the portal of the tenant. */
export type LinkKind = ConsoleLinkKind | 'user_invitation'

/** Lifetime of an invitation, in hours. */
export const INVITATION_HOURS = 72
/**
 * Lifetime of a password reset link, in minutes. It equals the window of the rate limit, so an owner whose request is
 * refused still has a valid link.
 */
export const PASSWORD_RESET_MINUTES = 60

/** Lifetime of a link that confirms a new email address, in hours. */
export const EMAIL_CHANGE_HOURS = 24

/** Lifetime of each kind of link, in milliseconds. */
export const LINK_LIFETIME_MS: Readonly<Record<LinkKind, number>> = {
  invitation: INVITATION_HOURS * 3_600_000,
  user_invitation: INVITATION_HOURS * 3_600_000,
  password_reset: PASSWORD_RESET_MINUTES * 60_000,
  email_change: EMAIL_CHANGE_HOURS * 3_600_000,
}

/** The page of the console or of a portal that each kind of link opens. The token follows in the fragment, which no server receives. */
export const LINK_PATHS = {
  invitation: '/invitation',
  user_invitation: '/invitation',
  password_reset: '/reset-password',
  email_change: '/email-change',
} as const satisfies Record<LinkKind, string>

/** The answer to every link that cannot be used: unknown, used, expired, withdrawn or replaced. */
export const LINK_REFUSED = 'This link is no longer valid. Links work once and for a limited time. Ask for a new one.'

/** Token of the link, from its address. */
export const linkToken = text(100)
