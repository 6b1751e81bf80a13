import {
  AUDIT_SORT_DEFAULT,
  AUDIT_SORTS,
  auditListQuery,
  type ChainCheck,
  checkAuditChain,
  exportAudit,
  getAuditRecord,
  listAudit,
} from '@switchboard/contract/activity'
import { queryOptions, useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'
import { call, callFile, callPage } from '#src/lib/call.ts'
import { wholeList } from '#src/lib/list-address.ts'
import { pageSize } from '#src/lib/page-size.ts'
import { prefetch } from '#src/lib/query-client.ts'

const { actor, action, target_type, target_id, tenant_id, outcome, from, to, cursor } = auditListQuery.shape
// Whatever else somebody typed into the address counts as not said.
const activitySearch = z.object({
  actor: otherwise(actor, undefined),
  action: otherwise(action, undefined),
  target_type: otherwise(target_type, undefined),
  target_id: otherwise(target_id, undefined),
  tenant_id: otherwise(tenant_id, undefined),
  outcome: otherwise(outcome, undefined),
  from: otherwise(from, undefined),
  to: otherwise(to, undefined),
  sort: otherwise(z.enum(AUDIT_SORTS), AUDIT_SORT_DEFAULT),
  limit: pageSize,
  cursor: otherwise(cursor, undefined),
})
const rowSearch = otherwise(z.optional(getAuditRecord.schema.params.shape.seq), undefined)

type Search = { [Name in keyof typeof activitySearch.shape | 'row']?: string | undefined }

/** The address of /settings/activity as a list: narrowed to what the contract knows, with the defaults filled in. */
export function activityListOf(search: Search) {
  return activitySearch.parse(search)
}
export type ActivityList = ReturnType<typeof activityListOf>

/** The number of the row that the address opens. */
export function openRowOf({ row }: Search): number | undefined {
  return rowSearch.parse(row)
}

/** One page of the audit log. Always asked for anew: whatever is done elsewhere adds to it. */
export function activityQuery(list: ActivityList) {
  return queryOptions({
    queryKey: ['activity', list],
    queryFn: ({ signal }) => callPage(listAudit, { query: list, signal }),
  })
}

/** The whole list as a CSV file. */
export async function activityFile(list: ActivityList, signal: AbortSignal): Promise<Response> {
  return await callFile(exportAudit, { query: wholeList(list), signal })
}

/** One row with what changed. It never changes itself. */
export function auditRecordQuery(seq: number) {
  return queryOptions({
    queryKey: ['activity record', seq],
    queryFn: ({ signal }) => call(getAuditRecord, { params: { seq }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Starts to fetch what /settings/activity will show, without making the page wait for it. */
export function prefetchActivity(search: Search): void {
  prefetch(activityQuery(activityListOf(search)))
  const row = openRowOf(search)
  if (row !== undefined) prefetch(auditRecordQuery(row))
}

type Check = {
  noted: string | undefined
  after: string | undefined
  signal: AbortSignal
  onPart: (part: ChainCheck) => void
}

/** Checks the whole chain, part after part, from `after` on; tells of each part. */
export function useCheckChain() {
  return useMutation({
    mutationFn: async ({ noted, after, signal, onPart }: Check) => {
      for (let place = after; ;) {
        const part = await call(checkAuditChain, { query: { after: place, noted }, signal })
        onPart(part)
        if (part.state !== 'checking') return part
        place = part.checked
      }
    },
  })
}
