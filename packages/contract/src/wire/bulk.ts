import * as z from 'zod/mini'

/** Most rows that can be selected at once. */
export const BULK_MAX = 100_000
/** Most rows that one call acts on, so that it is short; a caller with more sends more calls. */
export const BULK_CALL_MAX = 100
/** After so long a call begins no further row. */
export const BULK_CALL_MS = 10_000
/** More than so many are deleted only when their number is typed. */
export const BULK_DELETE_UNTYPED_MAX = 10

/** Every id that a list's query matches, in its order: what "all that match" means from then on. */
export const selectedIds = z.array(z.uuid())

/** What to do with which rows. */
export function bulkBody<const Actions extends readonly [string, ...string[]]>(actions: Actions) {
  return z.strictObject({
    action: z.enum(actions),
    ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(BULK_CALL_MAX)),
  })
}

/** How it went for one row. The name is unknown when the row was gone before. */
const bulkResult = z.object({
  id: z.uuid(),
  name: z.nullable(z.string()),
  outcome: z.enum(['done', 'refused']),
  /** Why it was refused. */
  reason: z.nullable(z.string()),
})
export type BulkResult = z.infer<typeof bulkResult>

/** One result for each row, in the order of the ids. Those left out were not reached: send them again. */
export const bulkAnswer = z.object({ results: z.array(bulkResult) })
export type BulkAnswer = z.infer<typeof bulkAnswer>
