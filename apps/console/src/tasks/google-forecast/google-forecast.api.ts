import { countScheduledTasks } from '@switchboard/contract/tasks/google-calls'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { ALL_TASKS } from '#src/tasks/tasks.api.ts'

/** The number of tasks that run, by frequency. Refetched after a change of a task. */
export function scheduledTasksQuery() {
  return queryOptions({
    queryKey: [...ALL_TASKS, 'scheduled'],
    queryFn: ({ signal }) => call(countScheduledTasks, { signal }),
  })
}
