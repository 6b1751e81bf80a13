import type { Task } from '@switchboard/contract/tasks'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { ButtonLink } from '#src/ui/page/button-link.tsx'
import { EmptyList } from '#src/ui/list/empty-list.tsx'
import { ListContent } from '#src/ui/list/list-content.tsx'
import { BulkBar, ExportDialog } from '#src/ui/list/lazy-parts.ts'
import { Page } from '#src/ui/page/page.tsx'
import { RefreshButton } from '#src/ui/list/refresh-button.tsx'
import { SampleMapsNotice } from '#src/places/sample-maps-notice.tsx'
import { listText } from '#src/lib/format/count.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { filtersOf, withoutPage } from '#src/lists/list-params.ts'
import { useSelection } from '#src/lists/selection.ts'
import { taskBulk } from './bulk-tasks.api.ts'
import { type TaskList, taskPages, tasksQuery } from './tasks.api.ts'
import css from './tasks-page.module.css'
import { TasksTable } from './tasks-table.tsx'
import { TasksTools } from './tasks-tools.tsx'
import { useRunTaskNow } from '#src/runs/runs.api.ts'

type Open = { kind: 'none' } | { kind: 'export' } | { kind: 'delete'; task: Task }

const route = getRouteApi('/signed-in/tasks')
const DeleteTaskDialog = lazyPart(() => import('./delete-task-dialog.tsx').then((code) => code.DeleteTaskDialog))

/** The tasks of every tenant with their next times. The URL holds the state of the page. */
export function TasksPage() {
  const list = taskPages.listOf(route.useSearch())
  const tasks = useQuery({ ...tasksQuery(list), placeholderData: keepPreviousData })
  const runNow = useRunTaskNow()
  const selection = useSelection(list)
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })

  return (
    <Page
      title="Tasks"
      subtitle="Scheduled jobs and when they next run"
      action={
        <>
          <RefreshButton query={tasks} noun="tasks" />
          <NewTask />
        </>
      }
    >
      <div className={css.sample}>
        <SampleMapsNotice />
      </div>
      <TasksTools list={list} rows={tasks.data?.rows} onExport={() => setOpen({ kind: 'export' })} />
      <ListContent
        query={tasks}
        noun="tasks"
        total={tasks.data && listText(tasks.data.total, 'task', false)}
        empty={<NoTasks list={list} />}
      >
        <TasksTable
          page={tasks.data}
          list={list}
          selection={selection}
          busy={tasks.isPlaceholderData}
          onRun={runNow}
          onDelete={(task) => setOpen({ kind: 'delete', task })}
          onIntent={() => void DeleteTaskDialog.preload?.()}
        />
      </ListContent>
      <Suspense>
        {selection.ids.size > 0 && (
          <BulkBar bulk={taskBulk(withoutPage(list))} total={tasks.data?.total} selection={selection} />
        )}
      </Suspense>
      <Suspense>
        {open.kind === 'export' && (
          <ExportDialog
            title="Export Tasks"
            content={listText(tasks.data?.total, 'task', filtersOf(list).length > 0)}
            start={(signal) => taskPages.file(list, signal)}
            onClose={close}
          />
        )}
        {open.kind === 'delete' && (
          <DeleteTaskDialog task={open.task} onDeleted={() => selection.set([open.task.id], false)} onClose={close} />
        )}
      </Suspense>
    </Page>
  )
}

function NewTask() {
  return (
    <ButtonLink to="/tasks/create" leftSection={<IconPlus size={16} aria-hidden />}>
      New Task
    </ButtonLink>
  )
}

function NoTasks({ list }: { list: TaskList }) {
  return (
    <EmptyList
      list={list}
      noun="tasks"
      searchHelp="Search looks at tenants, places and their ids."
      title="No task found"
      help="Tasks run on a schedule, for example pulling a tenant's Google reviews."
      action={<NewTask />}
    />
  )
}
