import { readFileSync } from 'node:fs'
import { guessableWords, isPattern, localPart, wordIn } from '@switchboard/contract/passwords'
import { invalidField } from '@switchboard/server/errors'
import type { Deps } from '#src/deps.ts'

const commonPasswords = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
)

type Account = { email: string; about?: string[] }

/** Throws 422 for a new password that is easy to guess. `field` is where it came in. */
export function refuseGuessable(
  deps: Pick<Deps, 'consoleSettings'>,
  field: string,
  password: string,
  account: Account,
): void {
  const reason = whyGuessable(deps, password, account)
  if (reason !== null) throw invalidField(field, reason)
}

/**
 * Why a new password is easy to guess, as a sentence, or `null`: a common one, a mere pattern, or one with a word of
 * the product, of the account's e-mail address or of `about` (the tenant's name and subdomain).
 */
export function whyGuessable(
  { consoleSettings }: Pick<Deps, 'consoleSettings'>,
  password: string,
  { email, about = [] }: Account,
): string | null {
  if (commonPasswords.has(password.toLowerCase()) || isPattern(password))
    return 'This password is too common. Choose one that nobody else would think of.'
  const word = wordIn(password, guessableWords(consoleSettings.brand_name, localPart(email), ...about))
  return word === undefined ? null : `Leave “${word}” out of the password: it is easy to guess here.`
}
