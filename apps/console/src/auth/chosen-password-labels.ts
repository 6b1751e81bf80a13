import { lengthProblem } from '@switchboard/contract/auth/passwords'

/** Errors of a first or new password, beside their fields. The server also judges how easy the password is to guess. */
export function chosenPasswordErrors({ password, confirmed }: { password: string; confirmed: string }) {
  const problem = lengthProblem(password, 'console')
  if (problem !== null) return { password: problem }
  return confirmed === password ? {} : { confirmed: 'New passwords do not match' }
}
