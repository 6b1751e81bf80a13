import * as z from 'zod/mini'

/** What a task may do; so far one thing. */
export const SCHEDULE_NAMES = ['pull_google_review'] as const
export const scheduleName = z.enum(SCHEDULE_NAMES)
export type ScheduleName = z.infer<typeof scheduleName>
