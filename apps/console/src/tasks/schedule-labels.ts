import type { ScheduleName } from '@switchboard/contract/tasks/schedule-names'

/**
 * The words for what a task does (spec §2, Create task). Apart from the others, so that the dashboard loads no more.
 */
export const SCHEDULE_LABELS = { pull_google_review: 'Pull Google Review' } satisfies Record<ScheduleName, string>
