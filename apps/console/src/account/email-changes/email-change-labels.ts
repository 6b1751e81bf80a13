import type { EmailChange } from '@switchboard/contract/email-changes'
import { consoleSettings } from '#src/lib/console-settings.ts'

/** Shown below the email field of an account of the console. */
export const NEW_ADDRESS_HINT = consoleSettings.mail
  ? 'A new address takes effect when the link sent to it is opened.'
  : 'This server sends no mail, so a new address takes effect at once, without a check.'

/** "ada@new.example takes effect when the link sent to it is opened." */
export function pendingText({ email, mail_state, mail_problem }: EmailChange): string {
  if (mail_state === 'failed')
    return `The mail to the new address ${email} could not be sent. ${mail_problem ?? ''}`.trim()
  if (mail_problem !== null) return `The mail to the new address ${email} is delayed. ${mail_problem}`
  return `The new address ${email} takes effect when the link sent to it is opened.`
}
