import * as z from 'zod/mini'
import { endpoint } from './wire/endpoint.ts'

/** State of a mail: waiting for the worker or for a retry, taken by the mail server, or given up. */
export const mailState = z.enum(['queued', 'sent', 'failed'])
export type MailState = z.infer<typeof mailState>

/** Largest number of attempts to send a mail. */
export const MAIL_ATTEMPTS_MAX = 5

/** The answer to calls that need mail on a server without `SMTP_URL`. */
export const MAIL_IS_OFF = 'This server sends no mail: SMTP_URL is not set.'

/** The problem of a mail that admin-api has queued for a worker without `SMTP_URL`. */
export const WORKER_WITHOUT_MAIL =
  'The worker has no SMTP_URL. Set the same mail settings for admin-api and the worker.'

/** Sends a test mail to the caller, at once. 409 with the reason of a failure. */
export const sendTestMail = endpoint('POST', '/api/v1/admin/mail/test', {
  config: { capability: 'security', confirmed: true, limit: 'run' },
  operationId: 'mail.test',
  summary: 'Send a test mail to your own address',
  tags: ['Mail'],
  response: {
    200: z.object({
      /** Address that the mail was sent to. */
      email: z.string(),
    }),
  },
})
