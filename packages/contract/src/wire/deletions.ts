import * as z from 'zod/mini'

/** Days for which a deleted tenant, user, API key or task can be restored. The console offers Undo for ten seconds. */
export const DELETION_KEPT_DAYS = 30

/** Lists deleted records, which can be restored, instead of the present ones. */
export const deletedFilter = z.optional(z.literal('true'))
