import * as z from 'zod/mini'
import { currentAdmin, email, PASSWORD_MAX } from '#src/auth/current-admin.ts'
import { personName } from '#src/auth/person-name.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { newPassword } from '#src/auth/passwords.ts'
import { anyText, moment } from '#src/wire/text.ts'

/** How long an error of the form stays on screen. */
export const ERROR_SHOWN_MS = 3_000
/** How long an answer of the server stays on screen. */
export const RESULT_SHOWN_MS = 5_000

/** The answer to a new password without the current password. */
export const ALL_FIELDS_REQUIRED = 'All fields are required'
/**
 * Refusal of a new address without the current password: a stolen session must not be enough to take over the account.
 */
export const PASSWORD_FOR_EMAIL = 'Enter your current password to change your email address.'

/**
 * A new name, a new address or both, or a new password. An address and a password need the current password.
 * @example {"name":"Ada Example"}
 */
export const profileBody = z
  .strictObject({
    /** New name. Null removes it. */
    name: z.optional(personName),
    /** New email address. Needs the current password. */
    email: z.optional(email),
    /** The password in use. */
    current_password: z.optional(anyText(PASSWORD_MAX)),
    /** The new password. Needs the current one. */
    new_password: z.optional(newPassword),
  })
  .check(
    z.refine(({ name, email: address, new_password }) => {
      const hasDetails = name !== undefined || address !== undefined
      return hasDetails !== (new_password !== undefined)
    }, 'Send a name or an email address, or a new password.'),
    z.refine((body) => body.new_password === undefined || body.current_password !== undefined, {
      error: ALL_FIELDS_REQUIRED,
      path: ['current_password'],
    }),
  )
export type ProfileBody = z.infer<typeof profileBody>

/** A session of the signed-in member. */
export const ownSession = z.object({
  /** Id of the session. */
  id: z.uuid(),
  /** Whether this call belongs to the session. */
  is_current: z.boolean(),
  /** Network address of the sign-in. Null if unknown. */
  address: z.nullable(z.string()),
  /** `User-Agent` header of the sign-in. Null without one. */
  user_agent: z.nullable(z.string()),
  /** When the session began. */
  created_at: moment,
  /** The last call of the session, exact to a minute. */
  last_seen_at: moment,
})
export type OwnSession = z.infer<typeof ownSession>

/**
 * The changed member; after a new password also the new session token and its expiry. `pending_email` is a new address
 * that takes effect when its link is opened.
 */
export const updatedProfile = z.extend(currentAdmin, {
  /** New address that takes effect when its link is opened. */
  pending_email: z.optional(z.string()),
  /** Token of the new session, after a new password. */
  access_token: z.optional(z.string()),
  /** End of the new session. */
  expires_at: z.optional(moment),
})
export type UpdatedProfile = z.infer<typeof updatedProfile>

const tags = ['Own account']

/**
 * Changes the name, the address or the password of the signed-in member. A new address or password ends the other
 * sessions. A new password returns a new token. If the server sends mail, a new address takes effect when its link is opened. 400 for a wrong current
 * password, 409 for a taken address, 422 for a guessable password or a missing current password, 429 after too many
 * wrong passwords.
 */
export const updateProfile = endpoint('PUT', '/api/v1/admin/auth/profile', {
  config: { capability: 'own_account', confirmed: ['second_factor'] },
  operationId: 'auth.profile',
  summary: 'Change your name, email address or password',
  tags,
  body: profileBody,
  response: { 200: updatedProfile },
})

const sessionsUrl = '/api/v1/admin/auth/sessions'

/** Live sessions, most recently used first. */
export const listSessions = endpoint('GET', sessionsUrl, {
  config: { capability: 'own_account' },
  operationId: 'sessions.list',
  summary: 'List your sessions',
  tags,
  response: { 200: z.array(ownSession) },
})

/** 404 for the session of another account. */
export const endSession = endpoint('DELETE', `${sessionsUrl}/:id`, {
  config: { capability: 'own_account' },
  operationId: 'sessions.end',
  summary: 'End one of your sessions',
  tags,
  params: z.strictObject({
    /** Id of the session. */
    id: z.uuid(),
  }),
  response: { 204: z.null() },
})

/** Ends all sessions except the calling session. */
export const endOtherSessions = endpoint('DELETE', sessionsUrl, {
  config: { capability: 'own_account' },
  operationId: 'sessions.end_others',
  summary: 'End all your other sessions',
  tags,
  response: { 204: z.null() },
})
