import * as z from 'zod/mini'
import { consoleRole, email } from './auth/current-admin.ts'
import { personName } from './auth/person-name.ts'
import { newPassword } from './auth/passwords.ts'
import { linkToken } from './links.ts'
import { mailState } from './mail.ts'
import { endpoint } from './wire/endpoint.ts'
import { moment } from './wire/text.ts'

/** A pending invitation to run the console. */
export const invitation = z.object({
  /** Id of the invitation. */
  id: z.uuid(),
  /** Email address of the invited person. */
  email: z.string(),
  /** Role of the person in the console. */
  role: consoleRole,
  /** Email address of the admin who invited. */
  invited_by: z.string(),
  /** When the invitation was sent. */
  created_at: moment,
  /** Until when the link works. */
  expires_at: moment,
  /** State of the mail with the link. Null for an invitation whose link was copied. */
  mail_state: z.nullable(mailState),
  /** Reason of the last failed attempt to send the mail. */
  mail_problem: z.nullable(z.string()),
})
export type Invitation = z.infer<typeof invitation>

/** A new or renewed invitation. `link` is null when the worker sends the mail; otherwise the link is shown this once. */
export const issuedInvitation = z.extend(invitation, {
  /** Link to pass on to the person. Null if the worker sends it by mail. */
  link: z.nullable(z.string()),
})
export type IssuedInvitation = z.infer<typeof issuedInvitation>

/** Largest number of pending invitations. */
export const INVITATIONS_MAX = 200

/**
 * The invited person.
 * @example {"email":"grace@example.com","role":"support"}
 */
export const invitationBody = z.strictObject({
  /** Email address of the invited person. */
  email,
  /** Role of the person in the console. */
  role: consoleRole,
})
export type InvitationBody = z.infer<typeof invitationBody>

const url = '/api/v1/admin/invitations'
const publicUrl = '/api/v1/admin/auth/invitations'
const tags = ['Invitations']
const params = z.strictObject({
  /** Id of the invitation. */
  id: z.uuid(),
})

/** Pending invitations, newest first, expired ones included. */
export const listInvitations = endpoint('GET', url, {
  config: { capability: 'team' },
  operationId: 'invitations.list',
  summary: 'List pending invitations',
  tags,
  response: { 200: z.array(invitation) },
})

/**
 * Invites a person and sends the link by mail, or returns the link if the server sends no mail. Replaces an earlier
 * invitation to the same address. 409 for the address of a user.
 */
export const createInvitation = endpoint('POST', url, {
  config: { capability: 'team', confirmed: true },
  operationId: 'invitations.create',
  summary: 'Invite a person to the console',
  tags,
  body: invitationBody,
  response: { 201: issuedInvitation },
})

/** Makes a new link, valid for 72 hours from now, and ends the earlier link. */
export const resendInvitation = endpoint('POST', `${url}/:id/resend`, {
  config: { capability: 'team', confirmed: true },
  operationId: 'invitations.resend',
  summary: 'Send an invitation again',
  tags,
  params,
  response: { 200: issuedInvitation },
})

/** Withdraws an invitation: its link ends at once. */
export const withdrawInvitation = endpoint('DELETE', `${url}/:id`, {
  config: { capability: 'team', confirmed: true },
  operationId: 'invitations.withdraw',
  summary: 'Withdraw an invitation',
  tags,
  params,
  response: { 204: z.null() },
})

/** The address and the role of an invitation, for its page. 404 for a link that no longer works. The link stays valid. */
export const readInvitation = endpoint('POST', `${publicUrl}/read`, {
  config: { public: true, reads: true },
  operationId: 'invitations.read',
  summary: 'Read an invitation',
  tags,
  body: z.strictObject({ token: linkToken }),
  response: { 200: z.pick(invitation, { email: true, role: true }) },
})

/** Makes the account of the invited person, once for each link. 404 for a link that no longer works, 422 for a guessable password. */
export const acceptInvitation = endpoint('POST', `${publicUrl}/accept`, {
  config: { public: true },
  operationId: 'invitations.accept',
  summary: 'Accept an invitation',
  tags,
  body: z.strictObject({
    token: linkToken,
    /** Name of the person. */
    name: z.optional(personName),
    /** First password of the account. */
    password: newPassword,
  }),
  response: { 201: z.pick(invitation, { email: true, role: true }) },
})
