import * as z from 'zod/mini'
import { moment } from '#src/wire/text.ts'

/** Deliveries are deleted this number of days after their events. */
export const DELIVERIES_KEPT_DAYS = 30
/** How long a delivery is attempted, in hours. */
export const DELIVERY_HOURS = 72

/**
 * `waiting`: not attempted yet. `retrying`: the last attempt failed and another one follows. `delivered`: the receiver answered
 * with a 2xx status. `failed`: given up after three days.
 */
export const deliveryState = z.enum(['waiting', 'retrying', 'delivered', 'failed'])
export type DeliveryState = z.infer<typeof deliveryState>

/** An attempt to deliver an event. */
export const deliveryAttempt = z.object({
  /** When it began. */
  at: moment,
  /** How long it took, in milliseconds. */
  duration_ms: z.int(),
  /** Status of the answer. Null without an answer. */
  status: z.nullable(z.int()),
  /** Why it failed, as a sentence. Null for a success. */
  problem: z.nullable(z.string()),
})
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>
