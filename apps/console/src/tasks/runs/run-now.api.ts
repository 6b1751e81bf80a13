import { runTask } from '@switchboard/contract/runs'
import { reportedRun } from '@switchboard/contract/runs/run-report'
import type { Task } from '@switchboard/contract/tasks'
import { useMutation } from '@tanstack/react-query'
import { fetchAdmin } from '#src/auth/session.api.ts'
import { isRetryable, messageOf } from '#src/lib/call-error.ts'
import { call } from '#src/lib/call.ts'
import { notify } from '#src/lib/notify.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { SCHEDULE_LABELS } from '#src/tasks/task-labels.ts'
import { ALL_TASKS, refreshTasks, showRunning } from '#src/tasks/tasks.api.ts'

/** "Run task now". The task shows as running at once. The notification appears on the current screen. */
export function useRunTaskNow() {
  const { mutate } = useMutation({
    mutationFn: runNow,
    onMutate: async (task: Task) => {
      await queryClient.cancelQueries({ queryKey: ALL_TASKS })
      showRunning(task.id)
    },
    onSuccess: ({ outcome, message }, task) => {
      if (outcome === 'executed') {
        notify('ok', `Task "${SCHEDULE_LABELS[task.schedule_name]}" executed successfully!`, aboutRunOf(task))
        return
      }
      // A run can outlast the call. The run continues.
      if (outcome === 'running') notify('ok', message || 'The run continues in the background.', aboutRunOf(task))
      else notify('bad', message || 'Task execution failed', aboutRunOf(task))
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
  const body = { task_id: task.id, super_admin_id: id, timestamp: new Date(serverNow()).toISOString() }
  return reportedRun(await call(runTask, { params: { task_id: task.id }, body }))
}
