import {
  activityList,
  type AuditRow,
  type ChainCheck,
  checkAuditChain,
  getAuditRecord,
} from '@switchboard/contract/activity'
import { queryOptions, useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { catch as withFallback } from 'zod/mini'
import { call, type ListPage } from '#src/lib/call.ts'
import { exportApi, listApi } from '#src/lists/list-api.ts'
import type { SearchOf } from '#src/lists/list-search.ts'
import { prefetch } from '#src/lib/query-client.ts'

const activityPages = { ...listApi(activityList, ['activity']), ...exportApi(activityList) }
export type ActivityList = ReturnType<typeof activityListOf>
export type ActivitySearch = SearchOf<typeof activityList> & { row?: string | undefined }

const rowSearch = withFallback(z.optional(getAuditRecord.schema.params.shape.seq), undefined)

type Search = Parameters<typeof activityPages.listOf>[0] & { row?: string | undefined }

/** The number of rows for search parameters. */
export const ActivityTotal = activityPages.Total

/** The search parameters of the audit log. */
export function activityListOf({ fold: _fold, ...search }: Search) {
  return activityPages.listOf(search)
}

/** One page. A rotation is one row, but each of its keys has a row in its own history. */
export function activityPageQuery(list: Omit<ActivityList, 'limit'> & { limit: number }) {
  return { ...activityPages.query(folded(list)), select: withIds }
}

/** The number of rows of the whole log, or of a tenant, for a list with filters. */
export function useActivityTotal(tenant_id: string | undefined, list: ActivityList): string | undefined {
  return activityPages.useTotal(folded(activityListOf({ tenant_id })), list)
}

/** All matching rows as a CSV file, with both rows of each rotation, because the chain has both. */
export function activityFile(list: ActivityList, signal: AbortSignal) {
  return activityPages.file(list, signal)
}

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

function folded<List extends { target_id?: string | undefined }>(list: List) {
  return { ...list, fold: list.target_id === undefined ? ('true' as const) : undefined }
}

function withIds(page: ListPage<AuditRow[]>): ListPage<(AuditRow & { id: string })[]> {
  return { ...page, rows: page.rows.map((row) => ({ ...row, id: String(row.seq) })) }
}

/** Prefetches /settings/activity. */
export function prefetchActivity(search: Search): void {
  prefetch(activityPageQuery(activityListOf(search)))
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
