import { getAttention } from '@switchboard/contract/dashboard'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { prefetch } from '#src/lib/query-client.ts'

/** The records that need attention: of all tenants, or of one. */
export function attentionQuery(tenantId?: string) {
  return queryOptions({
    queryKey: ['attention', tenantId],
    queryFn: ({ signal }) => call(getAttention, { query: { tenant_id: tenantId }, signal }),
  })
}

/** Prefetches the records of a tenant that need attention. */
export function prefetchAttention(tenantId: string): void {
  prefetch(attentionQuery(tenantId))
}
