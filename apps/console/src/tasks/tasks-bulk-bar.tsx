import type { TaskBulkAction } from '@switchboard/contract/tasks'
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type BulkAction, BulkBar } from '#src/ui/list/bulk-bar.tsx'
import type { Selection } from '#src/lib/selection.ts'
import { allTasks, changeTasks } from './bulk-tasks.api.ts'
import type { TaskList } from './tasks.api.ts'

const ACTIONS: BulkAction<TaskBulkAction>[] = [
  {
    name: 'resume',
    label: 'Resume',
    done: 'resumed',
    Icon: IconPlayerPlay,
    meaning: 'They run from their next time on. What was missed is not made up for.',
  },
  {
    name: 'pause',
    label: 'Pause',
    done: 'paused',
    Icon: IconPlayerPause,
    meaning: 'They let their times pass until you resume them.',
  },
  {
    name: 'delete',
    label: 'Delete',
    done: 'deleted',
    Icon: IconTrash,
    meaning: 'This cannot be undone and removes their runs and reviews.',
  },
]

type Props = { list: TaskList; total: string | undefined; selection: Selection }

export function TasksBulkBar({ list, total, selection }: Props) {
  return (
    <BulkBar
      noun="task"
      selection={selection}
      total={total}
      actions={ACTIONS}
      selectAll={() => allTasks(list)}
      act={(action, ids) => changeTasks(selection.isByFilter ? list : null, action, ids)}
    />
  )
}
