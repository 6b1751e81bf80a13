import { taskList } from '@switchboard/contract/tasks'
import { taskName } from '@switchboard/contract/tasks/task-name'
import { UNDO_HINT } from '#src/lib/notify.ts'
import { bulkApi, RESTORE } from '#src/lists/list-api.ts'
import { taskPages } from './tasks.api.ts'

export const taskBulk = bulkApi(
  taskList,
  'task',
  [
    {
      name: 'resume',
      consequence: 'They run again from their next scheduled time. Missed runs are not repeated.',
    },
    { name: 'pause', consequence: 'They do not run until you resume them.' },
    { name: 'delete', consequence: `Their runs and reviews are removed too. ${UNDO_HINT}` },
    RESTORE,
  ],
  nameOfTask,
)

function nameOfTask(id: string): string | undefined {
  const task = taskPages.loadedRow((row) => row.id === id)
  return task && taskName(task)
}
