import * as z from 'zod/mini'
import { moment } from '#src/wire/text.ts'
import { keyOutcome } from './key-outcomes.ts'

/** Hours of calls shown for a key, including the current hour. */
export const DIAGNOSIS_HOURS = 24
/** Days of calls shown for a key, including today. */
export const DIAGNOSIS_DAYS = 30

/** Checks of a key in one hour, by outcome. Outcomes without checks are absent. */
const apiKeyHour = z.object({
  /** Start of the hour. */
  at: moment,
  /** Number of checks by outcome. */
  counts: z.partialRecord(keyOutcome, z.int()),
})
export type ApiKeyHour = z.infer<typeof apiKeyHour>

/** Checks of a key on one day in UTC, by outcome. Outcomes without checks are absent. */
const apiKeyDay = z.object({
  /** The day, in UTC. */
  day: z.iso.date(),
  /** Number of checks by outcome. */
  counts: z.partialRecord(keyOutcome, z.int()),
})
export type ApiKeyDay = z.infer<typeof apiKeyDay>

/** The calls of a key. */
export const keyCalls = z.object({
  /** Calls of the last 24 hours, oldest first, hours without calls included. */
  hours: z.array(apiKeyHour),
  /** Calls of the last 30 days in UTC, oldest first, days without calls included. */
  days: z.array(apiKeyDay),
})
export type KeyCalls = z.infer<typeof keyCalls>
