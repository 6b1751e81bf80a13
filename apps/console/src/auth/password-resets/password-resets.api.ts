import { forgotPassword, resetPassword } from '@switchboard/contract/password-resets'
import { useMutation } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'

/** Asks for a link that resets the password. */
export function useForgotPassword() {
  return useMutation({ mutationFn: (body: { email: string }) => call(forgotPassword, { body }) })
}

/** Sets a new password through the link of a mail. */
export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { token: string; password: string; revoke_tokens: boolean }) => call(resetPassword, { body }),
  })
}
