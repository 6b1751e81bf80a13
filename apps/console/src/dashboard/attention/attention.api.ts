import { getAttention } from '@switchboard/contract/dashboard'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'

/** The records that need attention: of all tenants, or of one. */
export function attentionQuery(tenantId?: string) {
  return queryOptions({
    queryKey: ['attention', tenantId],
    queryFn: ({ signal }) => call(getAttention, { query: { tenant_id: tenantId }, signal }),
  })
}
