import { reasonOf } from '@switchboard/database/start/reason'
import { StartError } from '@switchboard/database/start/start-error'
import { MailError } from '@switchboard/mail/mail-error'

/** `text` says what is right, or what is wrong and what to do. */
type Result = { state: 'ok' | 'warning' | 'failed'; text: string }
export type Finding = Result & { check: string }
/** A check by its name. An error that it throws is a failed check. */
export type Check = [name: string, run: () => Promise<Result> | Result]

export const ok = (text: string): Result => ({ state: 'ok', text })
export const warning = (text: string): Result => ({ state: 'warning', text })
export const failed = (text: string): Result => ({ state: 'failed', text })

/** Runs the checks one after the other. */
export async function* findingsOf(checks: readonly Check[]): AsyncGenerator<Finding> {
  for (const [check, run] of checks) {
    try {
      yield { check, ...(await run()) }
    } catch (error) {
      const isSentence = error instanceof StartError || error instanceof MailError
      yield { check, ...failed(isSentence ? error.message : `It could not be checked: ${reasonOf(error)}.`) }
    }
  }
}
