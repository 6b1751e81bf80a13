import { readFileSync } from 'node:fs'
import { guessableWords, isPattern, localPart, wordIn } from '@switchboard/contract/passwords'
import { invalidField } from '@switchboard/server/errors'
import type { Deps } from '#src/deps.ts'

const commonPasswords = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
)

/**
 * Throws 422 for a new password that is easy to guess: a common one, a mere pattern, or one with a word of the product,
 * of the account's e-mail address or of `about` (the tenant's name and subdomain). `field` is where it came in.
 */
export function refuseGuessable(
  { consoleSettings }: Pick<Deps, 'consoleSettings'>,
  field: string,
  password: string,
  { email, about = [] }: { email: string; about?: string[] },
): void {
  if (commonPasswords.has(password.toLowerCase()) || isPattern(password)) {
    throw invalidField(field, 'This password is too common. Choose one that nobody else would think of.')
  }
  const word = wordIn(password, guessableWords(consoleSettings.brand_name, localPart(email), ...about))
  if (word !== undefined) throw invalidField(field, `Leave “${word}” out of the password: it is easy to guess here.`)
}
