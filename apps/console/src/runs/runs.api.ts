import { listTaskRuns, RUN_SORT_DEFAULT, type RunResult, runTask, type TaskRun } from '@switchboard/contract/runs'
import type { Task } from '@switchboard/contract/tasks'
import { pageFields } from '@switchboard/contract/wire/lists'
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { catch as withFallback } from 'zod/mini'
import { fetchAdmin } from '#src/auth/session.api.ts'
import { isRetryable, messageOf } from '#src/lib/call-error.ts'
import { call, callPage } from '#src/lib/call.ts'
import { notify } from '#src/lib/notify.ts'
import { pageSize } from '#src/lists/page-size.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { SCHEDULE_LABELS } from '#src/tasks/task-labels.ts'
import { ALL_TASKS, refreshTasks, RUNNING_REFRESH_MS, showRunning, taskKey } from '#src/tasks/tasks.api.ts'

const runsSearch = z.object({
  limit: pageSize,
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

/** "Run task now". The task shows as running at once. The notification appears on the current screen. */
export function useRunTaskNow() {
  const { mutate } = useMutation({
    mutationFn: runNow,
    onMutate: async (task: Task) => {
      await queryClient.cancelQueries({ queryKey: ALL_TASKS })
      showRunning(task.id)
    },
    onSuccess: (result, task) => {
      if (isExecuted(result)) {
        notify('ok', `Task "${SCHEDULE_LABELS[task.schedule_name]}" executed successfully!`, aboutRunOf(task))
        return
      }
      // A run can outlast the call. The run continues.
      const tone = result.status === 'running' ? 'ok' : 'bad'
      notify(tone, result.message === '' ? 'Task execution failed' : result.message, aboutRunOf(task))
    },
    onError: (error, task) =>
      notify('bad', `Failed to run task: ${messageOf(error, 'Unknown error')}`, {
        ...aboutRunOf(task),
        ...(isRetryable(error) && { onRetry: () => mutate(task) }),
      }),
    onSettled: refreshTasks,
  })
  return mutate
}

/** A result replaces the failure of an earlier try, and leaves the Undo of a pause. */
function aboutRunOf({ id }: Task) {
  return { about: `run of ${id}` }
}

/** Fetches the signed-in admin first, and runs the task in this name. */
async function runNow(task: Task) {
  const { id } = await fetchAdmin()
  const body = { task_id: task.id, super_admin_id: id, timestamp: new Date().toISOString() }
  const answer = await call(runTask, { params: { task_id: task.id }, body })
  return 'result' in answer ? answer.result : answer
}

/** Whether a run waits for a worker or calls Google. */
export function isUnderWay({ outcome }: TaskRun): boolean {
  return outcome === 'queued' || outcome === 'running'
}

/** Each of the three fields can report success. */
function isExecuted({ status, success, execution_status }: RunResult['result']): boolean {
  return status === 'success' || success || execution_status === 'executed'
}
