import { listTaskRuns, RUN_SORT_DEFAULT, type TaskRun } from '@switchboard/contract/runs'
import type { Task } from '@switchboard/contract/tasks'
import { pageFields } from '@switchboard/contract/wire/lists'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { catch as withFallback } from 'zod/mini'
import { callPage } from '#src/lib/call.ts'
import { shortPageSize } from '#src/lists/page-size.ts'
import { RUNNING_REFRESH_MS, taskKey } from '#src/tasks/tasks.api.ts'

const runsSearch = z.object({
  limit: shortPageSize,
  cursor: withFallback(pageFields.cursor, undefined),
  run: withFallback(z.optional(z.uuid()), undefined),
})

/** The list of runs in the search parameters of a task's page; `run` is the id of the only run. */
export function runListOf(search: { [Name in 'limit' | 'cursor' | 'run']?: string | undefined }) {
  const { run: id, ...page } = runsSearch.parse(search)
  return { ...page, id, sort: RUN_SORT_DEFAULT } as const
}
export type RunList = ReturnType<typeof runListOf>

/** A page of a task's runs. The key changes when a run starts, ends or waits for a retry. */
export function taskRunsQuery({ id, running_run_id, retry_at }: Task, list: RunList) {
  return queryOptions({
    queryKey: [...taskKey(id), 'runs', list, running_run_id, retry_at],
    queryFn: ({ signal }) => callPage(listTaskRuns, { params: { task_id: id }, query: list, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.rows.some(isUnderWay) ? RUNNING_REFRESH_MS : false),
  })
}

/** The newest run of a task; undefined without any. */
export function lastRunQuery(task: Task | undefined) {
  return queryOptions({
    queryKey: [...taskKey(task?.id ?? ''), 'last run', task?.running_run_id, task?.retry_at],
    queryFn: async ({ signal }) => {
      const { rows } = await callPage(listTaskRuns, {
        params: { task_id: task?.id ?? '' },
        query: { limit: 1 },
        signal,
      })
      return rows[0] ?? null
    },
    enabled: task !== undefined,
  })
}

/** Whether a run waits for a worker or calls Google. */
export function isUnderWay({ outcome }: TaskRun): boolean {
  return outcome === 'queued' || outcome === 'running'
}
