import { taskList } from '@switchboard/contract/tasks'
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { bulkApi } from '#src/lists/list-api.ts'

export const taskBulk = bulkApi(taskList, 'task', [
  {
    name: 'resume',
    label: 'Resume',
    done: 'resumed',
    Icon: IconPlayerPlay,
    consequence: 'They run again from their next scheduled time. Missed runs are not repeated.',
  },
  {
    name: 'pause',
    label: 'Pause',
    done: 'paused',
    Icon: IconPlayerPause,
    consequence: 'They do not run until you resume them.',
  },
  {
    name: 'delete',
    label: 'Delete',
    done: 'deleted',
    Icon: IconTrash,
    consequence: 'This cannot be undone and removes their runs and reviews.',
  },
])
