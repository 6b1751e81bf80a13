/** How long a sign-in or a confirmation is enough for the endpoints with `confirmed`. */
export const CONFIRMED_MINUTES = 10

/** `code` of the 403 to a call that needs a newer confirmation. */
export const CONFIRMATION_REQUIRED = 'confirmation_required'
/** The sentence of this 403. */
export const CONFIRM_FIRST = 'Confirm that it is you before this action.'

/**
 * The cases that make a call sensitive. `console_account`: the call changes an account of the console. `new_address`:
 * the call changes the email address, which receives the mails of the account. `longer_life`: the key becomes valid for
 * longer. `second_factor`: the account has a second factor, so that its password is not enough.
 */
type SensitiveCase = 'console_account' | 'new_address' | 'longer_life' | 'second_factor'

/** When a call needs a confirmation: always, in these cases, or for these actions of a bulk change. */
export type Confirmed = true | readonly SensitiveCase[] | { actions: readonly string[] }
