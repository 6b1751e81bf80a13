import type { RunResult } from '@switchboard/contract/runs'
import { messageOf } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import { SCHEDULE_LABELS } from '#src/tasks/schedule-labels.ts'
import { useRunTask } from '#src/tasks/tasks.api.ts'

/** "Run task now", with its messages (spec §8, Tasks). */
export function useRunTaskNow() {
  return useRunTask({
    onSuccess: (result, task) => {
      if (isExecuted(result)) {
        notify('ok', `Task "${SCHEDULE_LABELS[task.schedule_name]}" executed successfully!`)
        return
      }
      // It takes longer than the call waits, and goes on.
      const tone = result.status === 'running' ? 'ok' : 'bad'
      notify(tone, result.message === '' ? 'Task execution failed' : result.message)
    },
    onError: (error) => notify('bad', `Failed to run task: ${messageOf(error, 'Unknown error')}`),
  }).mutate
}

/** Any of the three says so (spec §8). */
function isExecuted({ status, success, execution_status }: RunResult['result']): boolean {
  return status === 'success' || success || execution_status === 'executed'
}
