import { taskList } from '@switchboard/contract/tasks'
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { bulkApi } from '#src/lists/list-api.ts'

export const taskBulk = bulkApi(taskList, 'task', [
  {
    name: 'resume',
    Icon: IconPlayerPlay,
    consequence: 'They run again from their next scheduled time. Missed runs are not repeated.',
  },
  { name: 'pause', Icon: IconPlayerPause, consequence: 'They do not run until you resume them.' },
  { name: 'delete', Icon: IconTrash, consequence: 'This cannot be undone and removes their runs and reviews.' },
])
