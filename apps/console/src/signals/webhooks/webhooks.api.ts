import * as calls from '@switchboard/contract/signals/webhooks'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { prefetch } from '#src/lib/query-client.ts'

const WEBHOOKS = ['webhooks']

/** All webhooks. */
export const webhooksQuery = queryOptions({
  queryKey: WEBHOOKS,
  queryFn: ({ signal }) => call(calls.listWebhooks, { signal }),
})

/** Prefetches the data of /settings/webhooks. */
export function prefetchWebhooks(): void {
  prefetch(webhooksQuery)
}
