import { type ListedRun, runList } from '@switchboard/contract/runs/run-list'
import { taskName } from '@switchboard/contract/tasks/task-name'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { bulkApi, exportApi, listApi } from '#src/lists/list-api.ts'
import { ALL_TASKS, refreshTasks, RUNNING_REFRESH_MS } from '#src/tasks/tasks.api.ts'
import { isUnderWay } from './runs.api.ts'

export const runPages = { ...listApi(runList, [...ALL_TASKS, 'runs']), ...exportApi(runList) }
export type AllRuns = ReturnType<typeof runPages.listOf>

/** One page of all runs, polled while one of them is under way. */
export function allRunsQuery(list: AllRuns) {
  return queryOptions({
    ...runPages.query(list),
    refetchInterval: ({ state }) => (state.data?.rows.some(isUnderWay) ? RUNNING_REFRESH_MS : false),
  })
}

export const runBulk = bulkApi(
  runList,
  'run',
  [
    {
      name: 'retry',
      consequence:
        'The task of each failed run runs once now, even if it is paused. A task that has run again since is skipped. ' +
        'Each run calls Google.',
    },
  ],
  (id) => {
    const run = runPages.loadedRow((row) => row.id === id)
    return run && taskName(run)
  },
)

/** Retries a failed run, as the bulk action does. Reports the start, or the reason of a skip. */
export function useRetryRun() {
  const { mutate } = useMutation({
    mutationFn: ({ id }: ListedRun) => call(runList.bulk, { query: {}, body: { action: 'retry', ids: [id] } }),
    onSuccess: ({ results: [result] }, run) => {
      const about = { about: run.id }
      if (result?.outcome === 'done') notify('ok', `${taskName(run)} runs now.`, about)
      else notify('bad', `${taskName(run)} was not started. ${result?.reason ?? ''}`, about)
    },
    onError: (error, run) =>
      notifyFailure(error, `${taskName(run)} could not be started.`, { about: run.id, onRetry: () => mutate(run) }),
    onSettled: refreshTasks,
  })
  return mutate
}
