import { Button } from '@mantine/core'
import type { Task } from '@switchboard/contract/tasks'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { useCan } from '#src/lib/can.ts'
import { useRunTaskNow } from '#src/tasks/runs/run-now.api.ts'
import { useReactivateTenant } from '#src/tenants/status/tenant-status.api.ts'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import { Banner } from '#src/ui/notice/banner.tsx'
import type { TaskProblem } from './task-problem.ts'
import { usePauseTask } from './tasks.api.ts'

type Props = { task: Task; problem: TaskProblem; onLookUp: () => void; onIntent: () => void }

/** Why a task does not run as it should, with the button that mends it. */
export function TaskBanner({ task, problem: { tone, lead, reason, cost, remedy }, onLookUp, onIntent }: Props) {
  const canEdit = useCan('edit')
  const runNow = useRunTaskNow()
  const togglePause = usePauseTask()
  // The banner and its focused button disappear.
  const reactivation = useReactivateTenant(focusTitle)
  const name = placeLabel(task.extra_data)
  const then = (act: () => void) => () => {
    focusTitle()
    act()
  }
  const buttons = {
    place: { label: 'Generate Place ID', onClick: onLookUp },
    resume: { label: 'Resume', name: `Resume ${name}`, onClick: then(() => togglePause(task)) },
    run: { label: 'Run Again', onClick: then(() => runNow(task)) },
    reactivate: {
      label: 'Reactivate',
      name: `Reactivate ${task.tenant_name}`,
      onClick: () => reactivation.mutate({ id: task.tenant_id, name: task.tenant_name }),
    },
  }
  const button: { label: string; name?: string; onClick: () => void } | null = remedy && buttons[remedy]
  return (
    <Banner
      tone={tone}
      lead={lead}
      reason={reason}
      action={
        canEdit &&
        button && (
          <Button
            aria-label={button.name}
            loading={reactivation.isPending}
            onPointerEnter={onIntent}
            onClick={button.onClick}
          >
            {button.label}
          </Button>
        )
      }
    >
      {cost}
    </Banner>
  )
}
