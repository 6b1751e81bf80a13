import type { SecondFactorProof, SignInChallenge } from '@switchboard/contract/auth/challenge'
import { beginConfirmation, confirm } from '@switchboard/contract/auth/confirmation'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'

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
