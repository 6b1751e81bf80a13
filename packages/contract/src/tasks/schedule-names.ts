import * as z from 'zod/mini'

/** The types of tasks; only one so far. */
export const SCHEDULE_NAMES = ['pull_google_review'] as const
export const scheduleName = z.enum(SCHEDULE_NAMES)
export type ScheduleName = z.infer<typeof scheduleName>
