import { lengthProblem, type PasswordHint, type PasswordOwner } from '@switchboard/contract/auth/passwords'
import { invalidField } from '@switchboard/server/http/errors'
import type { ConsoleSettings } from '@switchboard/contract/wire/console-settings'
import { strengthOf } from './password-strength.ts'
import { guessableWords, localPart, wordIn } from './guessable-words.ts'

/** Minimum zxcvbn score: 3 takes at least 10⁸ guesses, 4 at least 10¹⁰. */
const SCORE_MIN: Record<PasswordOwner, number> = { tenant: 3, console: 4 }
const TOO_COMMON = 'This password is too common or too easy to guess. Use several unrelated words.'

/** Owner of a password. `names`: the email address of the account and the names of its tenant. */
type Account = { owner: PasswordOwner; names: readonly string[] }
/** The name of the product is easy to guess. */
type PasswordDeps = { consoleSettings: Pick<ConsoleSettings, 'brand_name'> }

/**
 * Throws 422 if a new password is too short or easy to guess. `field` is the name of the password field in the body.
 */
export async function refuseGuessable(
  deps: PasswordDeps,
  field: string,
  password: string,
  account: Account,
): Promise<void> {
  const { problem } = await judgePassword(deps, password, account)
  if (problem !== null) throw invalidField(field, problem)
}

/** Judges a new password by length, by words of the product and the account, and by the number of guesses. */
export async function judgePassword(
  { consoleSettings }: PasswordDeps,
  password: string,
  { owner, names }: Account,
): Promise<PasswordHint> {
  const tooShort = lengthProblem(password, owner)
  if (tooShort !== null) return { strength: 'weak', problem: tooShort }
  const words = guessableWords(consoleSettings.brand_name, ...names.map((name) => localPart(name) || name))
  const word = wordIn(password, words)
  if (word !== undefined)
    return { strength: 'weak', problem: `Leave “${word}” out of the password: it is easy to guess here.` }
  const score = await strengthOf(password, words)
  if (score < SCORE_MIN[owner]) return { strength: 'weak', problem: TOO_COMMON }
  return { strength: score === 4 ? 'strong' : 'fair', problem: null }
}
