import { inTransaction } from '@switchboard/database/in-transaction'
import { MAIL_IS_OFF, sendTestMail as endpoint } from '@switchboard/contract/mail'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { MailError } from '@switchboard/mail/mail-error'
import { testMail } from '@switchboard/mail/mails'
import { conflict } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'

/** Sends a test mail to the caller, in one attempt. Throws 409 without mail, and with the reason of a failure. */
export async function sendTestMail({ db, now, mailer }: Deps, actor: Actor): Promise<{ email: string }> {
  if (mailer === null) throw conflict(MAIL_IS_OFF)
  await mailer.send(actor.email, testMail(mailer)).catch((error: unknown) => {
    throw error instanceof MailError ? conflict(error.message) : error
  })
  await inTransaction(db, (trx) => writeAudit(trx, now(), actor, { action: endpoint.schema.operationId }))
  return { email: actor.email }
}
