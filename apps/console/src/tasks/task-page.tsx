import { getTask, type Task } from '@switchboard/contract/tasks'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import * as z from 'zod/mini'
import { Breadcrumb } from '#src/ui/page/breadcrumb.tsx'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { SampleMapsNotice } from '#src/ui/notice/sample-maps-notice.tsx'
import { CallError } from '#src/lib/call-error.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { relativeText } from '#src/lib/format/moment.ts'
import { TaskActions } from './task-actions.tsx'
import { TaskFacts } from './task-facts.tsx'
import { RatingHistory } from '#src/reviews/rating-history.tsx'
import { taskReviewsQuery } from '#src/reviews/reviews.api.ts'
import { TaskReviews } from '#src/reviews/task-reviews.tsx'
import { TaskRuns } from '#src/tasks/runs/task-runs.tsx'
import columns from '#src/ui/page/with-facts.module.css'
import { StateBadge } from './state-badge.tsx'
import { TaskBanner } from './task-banner.tsx'
import { problemOf } from './task-problem.ts'
import { hasNextRun, rhythmText, SCHEDULE_LABELS } from './task-labels.ts'
import { lastRunQuery, runListOf } from '#src/tasks/runs/runs.api.ts'
import { taskQuery } from './tasks.api.ts'

type Open = 'none' | 'edit' | 'look-up' | 'delete'

const route = getRouteApi('/signed-in/tasks/$taskId')
const EditTaskDialog = lazyPart(() => import('./edit-task-dialog.tsx').then((code) => code.EditTaskDialog))
const DeleteTaskDialog = lazyPart(() => import('./delete-task-dialog.tsx').then((code) => code.DeleteTaskDialog))

/** A task with its place, runs, reviews and ratings. The page refreshes itself. */
export function TaskPage() {
  const { taskId } = route.useParams()
  const task = useQuery(taskQuery(taskId))
  const runs = runListOf(route.useSearch())
  const lastRun = useQuery(lastRunQuery(task.data)).data ?? undefined
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>('none')
  const close = () => setOpen('none')

  if (task.data === undefined) {
    return (
      <Page title="Task" subtitle={task.isError ? '' : 'Loading task...'} breadcrumb={<ToTasks />}>
        {!task.isError ? (
          <SkeletonItems count={3} />
        ) : isGone(task.error, taskId) ? (
          <EmptyState
            title="Task not found"
            help="It may have been deleted, or the link is incomplete."
            action={
              <ButtonLink to="/tasks" variant="default">
                All Tasks
              </ButtonLink>
            }
          />
        ) : (
          <LoadError title="The task could not be loaded" queries={[task]} />
        )}
      </Page>
    )
  }
  const problem = problemOf(task.data, lastRun)
  return (
    <Page
      title={placeLabel(task.data.extra_data)}
      badges={<StateBadge task={task.data} />}
      subtitle={scheduleText(task.data)}
      breadcrumb={<ToTasks />}
      action={
        <TaskActions
          task={task.data}
          problem={problem}
          onEdit={() => setOpen('edit')}
          onDelete={() => setOpen('delete')}
          onIntent={preloadDialogs}
        />
      }
    >
      {problem && (
        <TaskBanner task={task.data} problem={problem} onLookUp={() => setOpen('look-up')} onIntent={preloadDialogs} />
      )}
      <div className={columns.columns}>
        <div className={columns.first}>
          <SampleMapsNotice />
          <TaskRuns task={task.data} list={runs} />
        </div>
        <div className={columns.facts}>
          <TaskFacts
            task={task.data}
            {...(problem?.remedy !== 'place' && { onLookUp: () => setOpen('look-up') })}
            onIntent={preloadDialogs}
          />
        </div>
        <div className={columns.rest}>
          <ReviewsAndRatings task={task.data} />
        </div>
      </div>
      <Suspense>
        {(open === 'edit' || open === 'look-up') && (
          <EditTaskDialog task={task.data} looksUp={open === 'look-up'} onClose={close} />
        )}
        {open === 'delete' && (
          <DeleteTaskDialog task={task.data} onDeleted={() => void navigate({ to: '/tasks' })} onClose={close} />
        )}
      </Suspense>
    </Page>
  )
}

/** The ratings wait for the reviews, which would push them down. */
function ReviewsAndRatings({ task }: { task: Task }) {
  const areReviewsPending = useQuery(taskReviewsQuery(task)).isPending
  return (
    <>
      <TaskReviews task={task} />
      {task.last_run !== null && !areReviewsPending && (
        <RatingHistory key={task.id} tenantId={task.tenant_id} taskId={task.id} isPlaceFixed />
      )}
    </>
  )
}

/** Whether the task was deleted, or the id in the address is not whole. */
function isGone(error: Error, task_id: string): boolean {
  const isId = z.safeParse(getTask.schema.params, { task_id }).success
  return !isId || (error instanceof CallError && error.status === 404)
}

function ToTasks() {
  return (
    <Breadcrumb>
      <Link to="/tasks">Tasks</Link>
    </Breadcrumb>
  )
}

/** "Pull Google Review for Harbor Dental. Weekly, next run in 6 days" */
function scheduleText(task: Task): string {
  const often = `${SCHEDULE_LABELS[task.schedule_name]} for ${task.tenant_name}. ${rhythmText(task)}`
  if (task.retry_at !== null) return `${often}, tries again ${relativeText(task.retry_at)}`
  return hasNextRun(task) ? `${often}, next run ${relativeText(task.next_run)}` : often
}

function preloadDialogs() {
  void EditTaskDialog.preload?.()
  void DeleteTaskDialog.preload?.()
}
