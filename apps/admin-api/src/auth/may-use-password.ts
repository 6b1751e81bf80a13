import type { Deps } from '#src/deps.ts'

/**
 * Whether an account may sign in without the identity provider, with a password or with a passkey instead of one. While
 * `PASSWORD_SIGN_IN` is off, only break-glass accounts may.
 */
export function mayUsePassword(
  { isPasswordSignInOn }: Pick<Deps, 'isPasswordSignInOn'>,
  account: { is_break_glass: boolean; may_use_password: boolean },
): boolean {
  return account.may_use_password && (isPasswordSignInOn || account.is_break_glass)
}
