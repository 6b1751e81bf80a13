import { CONSOLE_PASSWORD_TOO_SHORT, lengthProblem } from '@switchboard/contract/auth/passwords'

/** Errors of a first or new password, beside their fields. The server also judges how easy the password is to guess. */
export function chosenPasswordErrors({ password, confirmed }: { password: string; confirmed: string }) {
  if (lengthProblem(password, 'console') !== null) return { password: CONSOLE_PASSWORD_TOO_SHORT }
  return confirmed === password ? {} : { confirmed: 'New passwords do not match' }
}
