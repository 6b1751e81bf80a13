import * as z from 'zod/mini'

/** How a check of a known key may end; counted by day. The caller is told less. */
const KEY_REFUSALS = ['revoked', 'tenant_inactive', 'disabled', 'expired', 'origin_refused'] as const
export const KEY_OUTCOMES = ['valid', ...KEY_REFUSALS] as const
const keyRefusal = z.enum(KEY_REFUSALS)
export const keyOutcome = z.enum(KEY_OUTCOMES)
export type KeyOutcome = z.infer<typeof keyOutcome>

/** A key counts as expiring during its last days. */
export const EXPIRING_DAYS = 14

/** Refusals need attention for so many days of UTC, today included. */
export const REFUSED_DAYS = 7

/** The refusals of a key in the last `REFUSED_DAYS` days. */
export const keyRefusals = z.object({
  count: z.int(),
  /** The most frequent reason. */
  outcome: keyRefusal,
  /** A replaced key was used after its end. */
  is_replaced: z.boolean(),
})
export type KeyRefusals = z.infer<typeof keyRefusals>
