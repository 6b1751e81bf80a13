import { activityList, type ChainCheck, checkAuditChain, getAuditRecord } from '@switchboard/contract/activity'
import { queryOptions, useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { catch as withFallback } from 'zod/mini'
import { call } from '#src/lib/call.ts'
import { listApi } from '#src/lists/list-api.ts'
import { prefetch } from '#src/lib/query-client.ts'

export const activityPages = listApi(activityList, ['activity'])
export type ActivityList = ReturnType<typeof activityPages.listOf>

const rowSearch = withFallback(z.optional(getAuditRecord.schema.params.shape.seq), undefined)

type Search = Parameters<typeof activityPages.listOf>[0] & { row?: string | undefined }

/** Sequence number of the open row. */
export function openRowOf({ row }: Search): number | undefined {
  return rowSearch.parse(row)
}

/** One row with its changed fields. Rows are immutable. */
export function auditRecordQuery(seq: number) {
  return queryOptions({
    queryKey: ['activity record', seq],
    queryFn: ({ signal }) => call(getAuditRecord, { params: { seq }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Prefetches /settings/activity. */
export function prefetchActivity(search: Search): void {
  activityPages.prefetch(search)
  const row = openRowOf(search)
  if (row !== undefined) prefetch(auditRecordQuery(row))
}

type Check = {
  checkpoint: string | undefined
  after: string | undefined
  signal: AbortSignal
  onPart: (part: ChainCheck) => void
}

/** Verifies the hash chain in batches, after the row `after`. Calls back after each batch. */
export function useCheckChain() {
  return useMutation({
    mutationFn: async ({ checkpoint, after, signal, onPart }: Check) => {
      for (let checked = after; ;) {
        const part = await call(checkAuditChain, { query: { after: checked, noted: checkpoint }, signal })
        onPart(part)
        if (part.state !== 'checking') return part
        checked = part.checked
      }
    },
  })
}
