import * as z from 'zod/mini'

/** The types of tasks; only one so far. */
export const scheduleName = z.enum(['pull_google_review'])
export type ScheduleName = z.infer<typeof scheduleName>
