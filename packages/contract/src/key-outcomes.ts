import * as z from 'zod/mini'

/** How a check of a known key may end; counted by day. The caller is told less (reference 4.4). */
export const KEY_OUTCOMES = ['valid', 'revoked', 'tenant_inactive', 'disabled', 'expired', 'origin_refused'] as const
export const keyOutcome = z.enum(KEY_OUTCOMES)
export type KeyOutcome = z.infer<typeof keyOutcome>

/** A key that ends within so many days is about to, and somebody should replace it. */
export const EXPIRING_DAYS = 14

export const REFUSED_DAYS = 7

/** A key is refused often when it was at least so many times in so many days of UTC, today among them. */
export const REFUSED_OFTEN = 10
