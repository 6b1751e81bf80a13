import * as z from 'zod/mini'
import { linkToken } from './links.ts'
import { mailState } from './mail.ts'
import { endpoint } from './wire/endpoint.ts'
import { moment } from './wire/text.ts'

/** A new email address of a console account. It takes effect when the link that was sent to it is opened. */
export const emailChange = z.object({
  /** The new address. */
  email: z.string(),
  /** Email address of the person who asked for the change. */
  requested_by: z.string(),
  /** When the change was asked for. */
  created_at: moment,
  /** Until when the link works. */
  expires_at: moment,
  mail_state: z.nullable(mailState),
  /** Reason of the last failed attempt to send the mail. */
  mail_problem: z.nullable(z.string()),
})
export type EmailChange = z.infer<typeof emailChange>

const url = '/api/v1/admin/auth/email-changes'
const tags = ['Own account']
/** Your account, or another account of the team. */
const params = z.strictObject({
  /** Id of the user whose address changes. */
  id: z.uuid(),
})
const config = { capability: 'own_account', confirmed: ['console_account'] } as const

/** The new address that takes effect when its link is opened, or null. */
export const getEmailChange = endpoint('GET', url, {
  config: { capability: 'own_account' },
  operationId: 'email_changes.get',
  summary: 'Get your pending email address',
  tags,
  response: {
    200: z.object({
      /** The open change. Null without one. */
      email_change: z.nullable(emailChange),
    }),
  },
})

/**
 * Sends a new link to the pending address. The earlier link stops working. For another person's account, the caller
 * needs access to the team. 404 if there is no pending address.
 */
export const resendEmailChange = endpoint('POST', `${url}/:id/resend`, {
  config: { ...config, limit: 'run' },
  operationId: 'email_changes.resend',
  summary: 'Send the link to a pending email address again',
  tags,
  params,
  response: { 200: emailChange },
})

/**
 * Cancels a pending address. Its link stops working at once. For another person's account, the caller needs access to
 * the team. 404 if there is no pending address.
 */
export const cancelEmailChange = endpoint('DELETE', `${url}/:id`, {
  config,
  operationId: 'email_changes.cancel',
  summary: 'Cancel a pending email address',
  tags,
  params,
  response: { 204: z.null() },
})

/**
 * The current and the new address of the account, for the page that the link opens. The link stays valid. 404 for a
 * link that no longer works.
 */
export const readEmailChange = endpoint('POST', `${url}/read`, {
  config: { public: true, reads: true },
  operationId: 'email_changes.read',
  summary: 'Read a pending email address',
  tags,
  body: z.strictObject({ token: linkToken }),
  response: {
    200: z.object({
      /** The present address of the account. */
      account: z.string(),
      /** The new address. */
      email: z.string(),
    }),
  },
})

/**
 * Gives the account its new address and ends all its sessions. Each link works once. 404 for a link that no longer works, 409 if
 * another user has taken the address in the meantime.
 */
export const confirmEmailChange = endpoint('POST', `${url}/confirm`, {
  config: { public: true },
  operationId: 'email_changes.confirm',
  summary: 'Confirm a new email address',
  tags,
  body: z.strictObject({ token: linkToken }),
  response: {
    200: z.object({
      /** The new address of the account. */
      email: z.string(),
    }),
  },
})
