import {
  type CreateTaskBody,
  createTask,
  deleteTask,
  getTask,
  listTasks,
  type Task,
  TASK_SORT_DEFAULT,
  TASK_SORTS,
  taskListQuery,
  type UpdateTaskBody,
  updateTask,
} from '@switchboard/contract/tasks'
import { queryOptions, useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'
import { call, callPage } from '#src/lib/call.ts'
import { pageSize } from '#src/lib/page-size.ts'
import { changeRows, prefetch, queryClient } from '#src/lib/query-client.ts'

export const ALL_TASKS = ['tasks']
const LISTS = [...ALL_TASKS, 'list']
export const taskKey = (id: string) => [...ALL_TASKS, 'one', id]

/** How soon a run that is under way is asked about again, and a task where none is known of. */
export const RUNNING_REFRESH_MS = 2_000
const IDLE_REFRESH_MS = 15_000

const { q, frequency, tenant_id, status, cursor } = taskListQuery.shape
// Whatever else somebody typed into the address counts as not said.
const tasksSearch = z.object({
  q: otherwise(q, undefined),
  frequency: otherwise(frequency, undefined),
  tenant_id: otherwise(tenant_id, undefined),
  status: otherwise(status, undefined),
  sort: otherwise(z.enum(TASK_SORTS), TASK_SORT_DEFAULT),
  limit: pageSize,
  cursor: otherwise(cursor, undefined),
})

/** The address of /tasks as a list: narrowed to what the contract knows, with the defaults filled in. */
export function taskListOf(search: { [Name in keyof typeof tasksSearch.shape]?: string | undefined }) {
  return tasksSearch.parse(search)
}
export type TaskList = ReturnType<typeof taskListOf>

/** One page of the tasks, asked for again and again while one of them runs. */
export function tasksQuery(list: TaskList) {
  return queryOptions({
    queryKey: [...LISTS, list],
    queryFn: ({ signal }) => callPage(listTasks, { query: list, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.rows.some(isRunning) ? RUNNING_REFRESH_MS : data?.rows.some(isRetrying) ? IDLE_REFRESH_MS : false,
  })
}

/** Starts to fetch what /tasks will show, without making the page wait for it. */
export function prefetchTasks(search: Parameters<typeof taskListOf>[0]): void {
  prefetch(tasksQuery(taskListOf(search)))
}

/** One task, kept up to date while it is shown. */
export function taskQuery(id: string) {
  return queryOptions({
    queryKey: taskKey(id),
    queryFn: ({ signal }) => call(getTask, { params: { task_id: id }, signal }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? RUNNING_REFRESH_MS : IDLE_REFRESH_MS),
  })
}

/** Starts to fetch what the page of a task will show. */
export function prefetchTask(id: string): void {
  prefetch(taskQuery(id))
}

export function useCreateTask() {
  return useMutation({
    mutationFn: (body: CreateTaskBody) => call(createTask, { body }),
    onSuccess: refreshTasks,
  })
}

/** Pauses or resumes, over whatever somebody else has changed meanwhile. */
export function usePauseTask() {
  return useMutation({
    mutationFn: ({ id, is_paused }: Pick<Task, 'id' | 'is_paused'>) =>
      call(updateTask, { params: { task_id: id }, body: { is_paused } }),
    onSettled: refreshTasks,
  })
}

/** Saves over the version that `task` has; another one by now is a 412 with the `staleTask` of the contract. */
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
    // At once, so that the row is gone when the dialog closes.
    onSuccess: (_, { id }) => changeRows<Task>(LISTS, (rows) => rows.filter((task) => task.id !== id)),
    // Also when it failed: somebody else may have deleted it.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: LISTS }),
  })
}

/** Shows a task as running before the server answers. */
export function showRunning(id: string): void {
  // Any id will do until the server has one for the run.
  const running = (task: Task): Task => ({ ...task, running_run_id: task.running_run_id ?? task.id })
  changeRows<Task>(LISTS, (rows) => rows.map((task) => (task.id === id ? running(task) : task)))
  queryClient.setQueryData<Task>(taskKey(id), (task) => task && running(task))
}

/** Whether a run of the task waits for a worker or runs. */
export function isRunning(task: Task): boolean {
  return task.running_run_id !== null && task.retry_at === null
}

/** Whether its run waits for the time of another attempt: minutes, or until tomorrow. */
export function isRetrying(task: Task): boolean {
  return task.retry_at !== null
}

/** Refetches all tasks. */
export function refreshTasks(): void {
  void queryClient.invalidateQueries({ queryKey: ALL_TASKS })
}
