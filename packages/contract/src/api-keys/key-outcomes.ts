import * as z from 'zod/mini'

const KEY_REFUSALS = ['revoked', 'tenant_inactive', 'disabled', 'expired', 'origin_refused'] as const
/** Results of the checks of an existing key, counted by day. The caller learns `KEY_REFUSED` or `ORIGIN_REFUSED`. */
export const KEY_OUTCOMES = ['valid', ...KEY_REFUSALS] as const
/** The result of a check. */
export const keyOutcome = z.enum(KEY_OUTCOMES)
export type KeyOutcome = z.infer<typeof keyOutcome>

/** Results of a check of a text that is no key. */
export const NOT_KEYS = ['missing', 'malformed', 'not_found'] as const
/** Why a check refuses a text. Only a service token learns it. */
export const keyRefusal = z.enum([...NOT_KEYS, ...KEY_REFUSALS])

/** A key counts as expiring during its last `EXPIRING_DAYS` days. */
export const EXPIRING_DAYS = 14

/** Number of UTC days in which a refusal needs attention, including today. */
export const REFUSED_DAYS = 7

/** The refusals of a key in the last `REFUSED_DAYS` days. */
export const keyRefusals = z.object({
  /** Number of refused calls. */
  count: z.int(),
  /** The most frequent reason. */
  outcome: z.enum(KEY_REFUSALS),
  /** Whether a replaced key was used after its end. */
  is_replaced: z.boolean(),
})
export type KeyRefusals = z.infer<typeof keyRefusals>
