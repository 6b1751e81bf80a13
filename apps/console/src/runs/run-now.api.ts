import { type RunResult, runTask } from '@switchboard/contract/runs'
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
  const body = { task_id: task.id, super_admin_id: id, timestamp: new Date(serverNow()).toISOString() }
  const answer = await call(runTask, { params: { task_id: task.id }, body })
  return 'result' in answer ? answer.result : answer
}

/** Each of the three fields can report success. */
function isExecuted({ status, success, execution_status }: RunResult['result']): boolean {
  return status === 'success' || success || execution_status === 'executed'
}
