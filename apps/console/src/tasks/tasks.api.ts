import {
  type CreateTaskBody,
  createTask,
  deleteTask,
  restoreTask,
  getTask,
  type Task,
  taskList,
  type UpdateTaskBody,
  updateTask,
} from '@switchboard/contract/tasks'
import { taskName } from '@switchboard/contract/tasks/task-name'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { callOnce } from '#src/lib/call-once.ts'
import { call } from '#src/lib/call.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { exportApi, listApi } from '#src/lists/list-api.ts'
import { changeRows, prefetch, queryClient, refreshAfterChange } from '#src/lib/query-client.ts'
import { pausedText } from './task-labels.ts'

export const ALL_TASKS = ['tasks']
const LISTS = [...ALL_TASKS, 'list']
export const taskKey = (id: string) => [...ALL_TASKS, 'one', id]

/** Polling interval of a running task, and of an idle task. */
export const RUNNING_REFRESH_MS = 2_000
const IDLE_REFRESH_MS = 15_000

export const taskPages = { ...listApi(taskList, LISTS), ...exportApi(taskList) }
export type TaskList = ReturnType<typeof taskPages.listOf>

/** One page of the tasks, polled while a task runs or waits for a retry. */
export function tasksQuery(list: TaskList) {
  return queryOptions({
    ...taskPages.query(list),
    refetchInterval: ({ state: { data } }) =>
      data?.rows.some(isRunning) ? RUNNING_REFRESH_MS : data?.rows.some(isRetrying) ? IDLE_REFRESH_MS : false,
  })
}

/** A task, kept up to date while shown. */
export function taskQuery(id: string) {
  return queryOptions({
    queryKey: taskKey(id),
    queryFn: ({ signal }) => call(getTask, { params: { task_id: id }, signal }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? RUNNING_REFRESH_MS : IDLE_REFRESH_MS),
  })
}

/** Prefetches the data of a task's page. */
export function prefetchTask(id: string): void {
  prefetch(taskQuery(id))
}

export function useCreateTask() {
  return useMutation({
    mutationFn: (body: CreateTaskBody) => callOnce(createTask, { body }),
    onSuccess: refreshTasks,
  })
}

/** Pauses or resumes a task. Reports what changed, with Undo, or a failure, with "Try Again". */
export function usePauseTask() {
  return useMutation({ mutationFn: (task: Task) => setPaused(task, !task.is_paused) }).mutate
}

async function setPaused(task: Task, is_paused: boolean): Promise<void> {
  const { id } = task
  try {
    const saved = await savePause(id, is_paused)
    notify('ok', pausedText(saved), {
      about: id,
      onUndo: async () => pausedText(await savePause(id, !is_paused)),
    })
  } catch (error) {
    notifyFailure(error, `${taskName(task)} could not be ${is_paused ? 'paused' : 'resumed'}.`, {
      about: id,
      onRetry: () => void setPaused(task, is_paused),
    })
  }
}

/** Saves the pause, regardless of changes by other admins. */
async function savePause(id: string, is_paused: boolean): Promise<Task> {
  try {
    return await call(updateTask, { params: { task_id: id }, body: { is_paused } })
  } finally {
    refreshTasks()
  }
}

/** Saves the version in `task`; another current version is a 412 with `staleTask` of the contract. */
export function useUpdateTask() {
  return useMutation({
    mutationFn: ({ task, body }: { task: Task; body: UpdateTaskBody }) =>
      call(updateTask, { params: { task_id: task.id }, body, ifMatch: task.version }),
    onSettled: refreshTasks,
  })
}

export function useDeleteTask() {
  return useMutation({
    mutationFn: ({ id, tenant_id: tenantId }: Task) =>
      call(deleteTask, { params: { tenant_id: tenantId, task_id: id } }),
    // Remove the row at once, so that it is gone when the dialog closes.
    onSuccess: (_, { id }) => changeRows<Task>(LISTS, (rows) => rows.filter((task) => task.id !== id)),
    // Refetch after a failure too, because another admin may have deleted the task.
    onSettled: () => refreshAfterChange(LISTS),
  })
}

/** Restores a deleted task, for Undo. */
export async function restoreDeletedTask(task: Task): Promise<string> {
  try {
    await call(restoreTask, { params: { task_id: task.id } })
    return `${taskName(task)} was restored.`
  } finally {
    refreshTasks()
  }
}

/** Shows a task as running before the server answers. */
export function showRunning(id: string): void {
  // A placeholder id until the server returns the id of the run.
  const running = (task: Task): Task => ({ ...task, running_run_id: task.running_run_id ?? task.id })
  changeRows<Task>(LISTS, (rows) => rows.map((task) => (task.id === id ? running(task) : task)))
  queryClient.setQueryData<Task>(taskKey(id), (task) => task && running(task))
}

/** Whether a run of the task waits for a worker or runs. */
export function isRunning(task: Task): boolean {
  return task.running_run_id !== null && task.retry_at === null
}

/** Whether a failed run of the task waits for its retry. */
export function isRetrying(task: Task): boolean {
  return task.retry_at !== null
}

/** Refetches all tasks. */
export function refreshTasks(): void {
  refreshAfterChange(ALL_TASKS)
}
