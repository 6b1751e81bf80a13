import { expect, test } from 'vitest'
import { taskState, type TaskFacts, type TaskState } from './task-state.ts'

const NOW = Date.parse('2026-11-20T12:00:00.000Z')
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
const idle: TaskFacts = {
  is_paused: false,
  next_run: ago(-60),
  last_outcome: 'succeeded',
  running_run_id: null,
  waiting_since: null,
  retry_at: null,
}
const run = { running_run_id: '6f6f1b0e-0000-4000-8000-000000000001' }

const cases: [string, Partial<TaskFacts>, TaskState][] = [
  ['an idle task', {}, 'on_schedule'],
  ['a task without a run so far', { last_outcome: null }, 'on_schedule'],
  ['a due task', { next_run: ago(9) }, 'on_schedule'],
  ['a task whose time passed ten minutes ago', { next_run: ago(10) }, 'late'],
  ['a task with a run', run, 'running'],
  ['an overdue task with a run', { ...run, next_run: ago(60) }, 'running'],
  ['a run that waits for a worker', { ...run, waiting_since: ago(9) }, 'running'],
  ['a run that waits for ten minutes', { ...run, waiting_since: ago(10) }, 'late'],
  ['a run that waits for a retry', { ...run, retry_at: ago(-5) }, 'retrying'],
  ['a failed task', { last_outcome: 'failed' }, 'failing'],
  ['a failed task that is overdue', { last_outcome: 'failed', next_run: ago(60) }, 'late'],
  ['a failed task with a run', { ...run, last_outcome: 'failed' }, 'running'],
  ['a paused task', { is_paused: true, last_outcome: 'failed', next_run: ago(60) }, 'paused'],
  ['a paused task that an admin runs', { ...run, is_paused: true }, 'running'],
]
test.for(cases)('%s', ([, facts, state]) => {
  expect(taskState({ ...idle, ...facts }, { status: 'active' }, NOW)).toBe(state)
  expect(taskState({ ...idle, ...facts }, { status: 'inactive' }, NOW)).toBe('tenant_inactive')
})
