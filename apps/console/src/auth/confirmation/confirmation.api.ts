import type { SecondFactorProof, SignInChallenge } from '@switchboard/contract/auth/challenge'
import { beginConfirmation, checkConfirmation, confirm } from '@switchboard/contract/auth/confirmation'
import { CONFIRMATION_REQUIRED } from '@switchboard/contract/auth/confirmed'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { errorCodeOf } from '#src/lib/call-error.ts'
import { call } from '#src/lib/call.ts'
import { useIsConfirmationAsked } from '#src/lib/confirmation.ts'

/** The challenge for the second factor of the admin; null without one. A challenge is used once, so no cache keeps it. */
export const confirmationChallengeQuery = queryOptions({
  queryKey: ['confirmation-challenge'],
  queryFn: async ({ signal }) => (await call(beginConfirmation, { signal })).challenge,
  gcTime: 0,
  // A refetch would replace the challenge while the admin answers it.
  staleTime: Infinity,
})

/** Confirms the session of this browser with the password of its admin. */
export async function confirmWithPassword(password: string): Promise<void> {
  await call(confirm, { body: { password } })
}

/**
 * Like `confirmWithPassword`, but with the second factor. A passkey that does not verify its user needs the password
 * too.
 */
export async function confirmWithSecondFactor(
  { id }: SignInChallenge,
  proof: SecondFactorProof,
  password?: string,
): Promise<void> {
  await call(confirm, { body: { id, ...proof, ...(password !== undefined && { password }) } })
}

/**
 * For a form whose action needs a confirmation: asks for it before the form is filled, unless there is a recent one. False
 * while the question is open. `onCancel` closes the form.
 */
export function useConfirmedFirst(onCancel: () => void): boolean {
  const isAsked = useIsConfirmationAsked()
  const { isPending, error } = useQuery({
    queryKey: ['confirmation'],
    // Without the server, the form opens, and its own call reports the failure.
    queryFn: async ({ signal }) => await call(checkConfirmation, { signal }),
    gcTime: 0,
    staleTime: Infinity,
  })
  const isCanceled = errorCodeOf(error) === CONFIRMATION_REQUIRED
  useEffect(() => {
    if (isCanceled) onCancel()
  }, [isCanceled, onCancel])
  return !isCanceled && !(isPending && isAsked)
}
