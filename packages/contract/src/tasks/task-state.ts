import * as z from 'zod/mini'
import type { TenantStatus } from '#src/tenants/tenant-status.ts'

/** Delay of a run after which its task is late. */
export const LATE_AFTER_MINUTES = 10

/** The states of a task. The first that applies is its state. */
export const TASK_STATES = [
  'tenant_inactive',
  'retrying',
  'running',
  'paused',
  'late',
  'failing',
  'on_schedule',
] as const
/** The state of a task: what happens to its runs now. */
export const taskStateName = z.enum(TASK_STATES)
export type TaskState = z.infer<typeof taskStateName>

/** The fields of a task that decide its state. */
export type TaskFacts = {
  is_paused: boolean
  next_run: string
  last_outcome: 'succeeded' | 'failed' | null
  running_run_id: string | null
  waiting_since: string | null
  retry_at: string | null
}

/** The state of a task at `now`, in ms. A run of a paused task, started by an admin, runs nevertheless. */
export function taskState(task: TaskFacts, tenant: { status: TenantStatus }, now: number): TaskState {
  if (tenant.status !== 'active') return 'tenant_inactive'
  if (task.retry_at !== null) return 'retrying'
  if (task.waiting_since !== null && isLate(task.waiting_since, now)) return 'late'
  if (task.running_run_id !== null) return 'running'
  if (task.is_paused) return 'paused'
  if (isLate(task.next_run, now)) return 'late'
  return task.last_outcome === 'failed' ? 'failing' : 'on_schedule'
}

function isLate(moment: string, now: number): boolean {
  return Date.parse(moment) <= now - LATE_AFTER_MINUTES * 60_000
}
