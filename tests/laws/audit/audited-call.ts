import { startMailbox } from '@switchboard/testing/mailbox'
import { createMailer } from '@switchboard/mail/mailer'
import { startTestApi } from '#apps/admin-api/src/testing/test-api.ts'

export const SITE = { origin: 'http://localhost', rp_id: 'localhost' }

/** admin-api with mail. The queue is another system; its jobs are rows of the same transaction, see `send-link.test.ts`. */
export async function startAuditedApi() {
  const mailbox = await startMailbox()
  const mailer = createMailer(
    { smtpUrl: mailbox.url, from: { address: 'console@example.com' }, consoleUrl: 'https://console.example.com' },
    'Switchboard',
  )
  const mails = { enqueue: async () => undefined }
  return { mailbox, api: await startTestApi({ publicUrl: SITE.origin, mailer, mails }) }
}

type Api = Awaited<ReturnType<typeof startAuditedApi>>['api']

/** The server, its database, and the super admin who makes the call. */
export type World = { api: Api; db: Api['db']; actor: Awaited<ReturnType<Api['signIn']>> }

/** `audited_as` is the action in the audit log, where it is not that of the endpoint. */
type AuditedCall = { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string; body?: object; audited_as?: string }

/** A valid call of each endpoint, by its operation id. Each makes the rows that it needs. */
export type AuditedCalls = Record<string, (world: World) => AuditedCall | Promise<AuditedCall>>

export const post = (path: string, body?: object) => ({ method: 'POST' as const, path, ...(body && { body }) })
export const put = (path: string, body: object) => ({ method: 'PUT' as const, path, body })
export const patch = (path: string, body: object) => ({ method: 'PATCH' as const, path, body })
export const del = (path: string) => ({ method: 'DELETE' as const, path })
