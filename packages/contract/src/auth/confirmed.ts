/** How long a sign-in or a confirmation is enough for the endpoints with `confirmed`. */
export const CONFIRMED_MINUTES = 10

/** `reason` of the 403 to a call that needs a newer confirmation. */
export const CONFIRMATION_REQUIRED = 'confirmation_required'
/** The sentence of this 403. */
export const CONFIRM_FIRST = 'Confirm that it is you before this action.'
