import { IconPlayerPlay } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ListScreen } from '#src/ui/list/list-screen.tsx'
import { useHistoryAction } from '#src/activity/use-history-action.ts'
import { SampleMapsNotice } from '#src/places/sample-maps-notice.tsx'
import { lazyPart } from '#src/lib/lazy.tsx'
import { withoutPage } from '#src/lists/list-params.ts'
import { taskBulk } from './bulk-tasks.api.ts'
import { taskPages, tasksQuery } from './tasks.api.ts'
import css from './tasks-page.module.css'
import { taskName } from './task-labels.ts'
import { TASK_COLUMNS, TaskPhoneRow } from './tasks-table.tsx'
import { TasksTools } from './tasks-tools.tsx'
import { useRunTaskNow } from '#src/runs/runs.api.ts'

const route = getRouteApi('/signed-in/tasks')
const DeleteTaskDialog = lazyPart(() => import('./delete-task-dialog.tsx').then((code) => code.DeleteTaskDialog))

/** The tasks of every tenant with their next times. The URL holds the state of the page. */
export function TasksPage() {
  const list = taskPages.listOf(route.useSearch())
  const tasks = useQuery({ ...tasksQuery(list), placeholderData: keepPreviousData })
  const runNow = useRunTaskNow()
  const historyOf = useHistoryAction('task')

  return (
    <ListScreen
      title="Tasks"
      subtitle="Scheduled jobs and when they next run"
      noun="task"
      list={list}
      query={tasks}
      create={{ to: '/tasks/create', label: 'New Task' }}
      notice={
        <div className={css.sample}>
          <SampleMapsNotice />
        </div>
      }
      renderTools={(onExport) => <TasksTools list={list} rows={tasks.data?.rows} onExport={onExport} />}
      empty={{
        searchHelp: 'Search looks at tenants, places and their ids.',
        title: 'No task found',
        help: "Tasks run on a schedule, for example pulling a tenant's Google reviews.",
      }}
      columns={TASK_COLUMNS}
      nameOf={taskName}
      actionsOf={(task, remove) => [
        // Only before the first success; later the page of the task has "Run again".
        ...(task.last_run === null && task.running_run_id === null
          ? [
              {
                label: 'Run task now',
                accessibleName: `Run ${taskName(task)} now`,
                Icon: IconPlayerPlay,
                onSelect: () => runNow(task),
              },
            ]
          : []),
        historyOf({ id: task.id, name: taskName(task) }),
        remove,
      ]}
      renderDeletion={(task, on) => <DeleteTaskDialog task={task} {...on} />}
      renderPhoneRow={(task) => <TaskPhoneRow task={task} />}
      bulk={taskBulk(withoutPage(list))}
      file={(signal) => taskPages.file(list, signal)}
      onIntent={() => void DeleteTaskDialog.preload?.()}
    />
  )
}
