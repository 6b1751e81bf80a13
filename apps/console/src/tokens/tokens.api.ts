import * as calls from '@switchboard/contract/tokens'
import type { CreateTokenBody, ServiceToken } from '@switchboard/contract/tokens'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { callOnce } from '#src/lib/call-once.ts'
import { call } from '#src/lib/call.ts'
import { can } from '#src/lib/can.ts'
import { settledSession } from '#src/lib/session.ts'
import { prefetch, queryClient } from '#src/lib/query-client.ts'

const TOKENS = ['tokens']

/** All service tokens. */
export const tokensQuery = queryOptions({
  queryKey: TOKENS,
  queryFn: ({ signal }) => call(calls.listTokens, { signal }),
})

/** Prefetches the data of /settings/tokens. */
export function prefetchTokens(): void {
  void settledSession().then(() => {
    if (can('tokens')) prefetch(tokensQuery)
  })
}

export function useCreateToken() {
  return useMutation({
    // Not cached after the dialog closes: the answer holds a secret.
    gcTime: 0,
    mutationFn: (body: CreateTokenBody) => callOnce(calls.createToken, { body }),
    onSuccess: refreshTokens,
  })
}

export function useRevokeToken() {
  return useMutation({
    mutationFn: ({ id }: Pick<ServiceToken, 'id'>) => call(calls.revokeToken, { params: { id } }),
    onSettled: refreshTokens,
  })
}

function refreshTokens(): void {
  void queryClient.invalidateQueries({ queryKey: TOKENS })
}
