import type { SecondFactor } from '@switchboard/contract/second-factors'

/** The kind of a second factor: "Passkey, also without a password". */
export function kindLabel({ kind, is_user_verifying }: Pick<SecondFactor, 'kind' | 'is_user_verifying'>): string {
  if (kind === 'totp') return 'Authenticator app'
  return is_user_verifying ? 'Passkey, also without a password' : 'Passkey'
}
