import {
  addPasskey,
  addTotp,
  beginPasskey,
  beginTotp,
  deleteSecondFactor,
  getSecuritySettings,
  listSecondFactors,
  renewRecoveryCodes,
  resetSecondFactor,
  updateSecuritySettings,
} from '@switchboard/contract/second-factors'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { lazyCode } from '#src/lib/load-code.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { prefetch, queryClient } from '#src/lib/query-client.ts'
import { currentSession } from '#src/lib/session.ts'
import { teamQuery } from '#src/team/team.api.ts'
import { signInsQuery } from '#src/account/sign-ins/sign-ins.api.ts'

const SECOND_FACTORS = ['second-factors']

const passkeys = lazyCode(() => import('./passkeys.api.ts'))

/** The second factors of the signed-in admin. */
export const secondFactorsQuery = queryOptions({
  queryKey: SECOND_FACTORS,
  queryFn: ({ signal }) => call(listSecondFactors, { signal }),
})

/** The rules of signing in, for super admins. */
export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => call(getSecuritySettings, { signal }),
})

/** Prefetches the data of /settings/security without blocking the page. */
export function prefetchSecurity(): void {
  prefetch(secondFactorsQuery)
  prefetch(signInsQuery)
  const session = currentSession()
  if (session.kind === 'authenticated' && session.admin.role === 'super_admin') {
    prefetch(securityQuery)
    prefetch(teamQuery)
  }
}

/**
 * Why no passkey can be added at this address, or null if one can. Passkeys belong to a host name, never to an IP
 * address.
 */
export function passkeyProblem(): string | null {
  const { hostname, port } = window.location
  if (/^127\.|^\[::1\]$/.test(hostname)) return `Passkeys need a host name. Open http://localhost:${port} to add one.`
  if (/^[\d.]+$|^\[/.test(hostname)) return 'Passkeys need a host name. Open the console by its name to add one.'
  return 'PublicKeyCredential' in window ? null : 'Passkeys need HTTPS. Open the console over HTTPS to add one.'
}

/** Begins to add an authenticator app. Reports a failure. */
export function useBeginTotp() {
  const beginning = useMutation({
    mutationFn: () => call(beginTotp, {}),
    onError: (error) =>
      notifyFailure(error, 'The authenticator app could not be added.', { onRetry: () => beginning.mutate() }),
  })
  return beginning
}

/** Adds an authenticator app with its code. */
export function useAddTotp() {
  return useMutation({
    mutationFn: (body: { id: string; name: string; code: string }) => call(addTotp, { body }),
    onSettled: refresh,
  })
}

/** Asks the browser for a new passkey and adds the passkey. */
export function useAddPasskey() {
  return useMutation({
    mutationFn: async (name: string) => {
      const { id, passkey } = await call(beginPasskey, {})
      const { createPasskey } = await passkeys()
      return await call(addPasskey, { body: { id, name, passkey: await createPasskey(passkey) } })
    },
    onSettled: refresh,
  })
}

export function useDeleteSecondFactor() {
  return useMutation({
    mutationFn: (id: string) => call(deleteSecondFactor, { params: { id } }),
    onSettled: refresh,
  })
}

/** Replaces the recovery codes. */
export function useRenewRecoveryCodes() {
  return useMutation({ mutationFn: () => call(renewRecoveryCodes, {}), onSettled: refresh })
}

/** Removes the second factors of another account. */
export function useResetSecondFactor() {
  return useMutation({
    mutationFn: (id: string) => call(resetSecondFactor, { params: { id } }),
    onSuccess: () => void queryClient.invalidateQueries(),
  })
}

/** Requires a second factor of every account, or makes it optional. */
export function useRequireSecondFactor() {
  return useMutation({
    mutationFn: (second_factor_required: boolean) => call(updateSecuritySettings, { body: { second_factor_required } }),
    onSuccess: ({ second_factor_required }) =>
      notify('ok', second_factor_required ? 'Everyone needs a second factor now.' : 'A second factor is optional now.'),
    onSettled: () => Promise.all([refresh(), queryClient.invalidateQueries(securityQuery)]),
  })
}

async function refresh(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: SECOND_FACTORS }),
    queryClient.invalidateQueries(teamQuery),
  ])
}
