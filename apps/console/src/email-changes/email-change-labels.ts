import type { EmailChange } from '@switchboard/contract/email-changes'
import { consoleSettings } from '#src/lib/console-settings.ts'

/** Below the field of an email address: when a new address of an account of the console is used. */
export const NEW_ADDRESS_HINT = consoleSettings.mail
  ? 'A new address is used once the link in its mail was opened.'
  : 'This server sends no mail, so a new address is used at once, without a check.'

/** "ada@new.example is used once the link in its mail was opened." */
export function pendingText({ email, mail_state, mail_problem }: EmailChange): string {
  if (mail_state === 'failed')
    return `The mail to the new address ${email} could not be sent. ${mail_problem ?? ''}`.trim()
  if (mail_problem !== null) return `The mail to the new address ${email} is delayed. ${mail_problem}`
  return `The new address ${email} is used once the link in its mail was opened.`
}
