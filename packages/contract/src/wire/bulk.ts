import * as z from 'zod/mini'

/** Maximum number of selected rows. */
export const BULK_MAX = 100_000
/** Maximum number of rows of one call, to keep calls short. Clients split a larger selection. */
export const BULK_CALL_MAX = 100
/** After this time, a call starts no further row. */
export const BULK_CALL_MS = 10_000
/** Deleting more rows requires typing their number. */
export const BULK_DELETE_UNTYPED_MAX = 10

/** The ids of all matching rows, in the order of the list. */
export const selectedIds = z.array(z.uuid())

/** An action and the ids of its rows. */
export function bulkBody<const Actions extends readonly [string, ...string[]]>(actions: Actions) {
  return z.strictObject({
    /** What to do with the rows. */
    action: z.enum(actions),
    /** Ids of the rows, at most 100. */
    ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(BULK_CALL_MAX)),
  })
}

/** The result for one row. The name is null for a row that was already deleted. */
const bulkResult = z.object({
  /** Id of the row. */
  id: z.uuid(),
  /** Name of the row. Null for a row that was already deleted. */
  name: z.nullable(z.string()),
  /** Result for the row. `skipped`: the action has no use for it. */
  outcome: z.enum(['done', 'refused', 'skipped']),
  /** Reason of a refusal or of a skip, as a sentence. Null for a row that was done. */
  reason: z.nullable(z.string()),
  /** Whether the row has changed. False for a refused or skipped row, and for a row that was in the requested state before. An undo leaves such rows alone. */
  is_changed: z.boolean(),
})
export type BulkResult = z.infer<typeof bulkResult>

/** A result for each processed row, in the order of the ids. Send the ids without a result again. */
export const bulkAnswer = z.object({
  /** One result for each processed row, in the order of the ids. */
  results: z.array(bulkResult),
})
export type BulkAnswer = z.infer<typeof bulkAnswer>
