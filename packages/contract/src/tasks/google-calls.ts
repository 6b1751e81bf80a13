import * as z from 'zod/mini'
import { type Frequency, frequency, runsPerMonth } from '#src/tasks/schedule.ts'
import { endpoint } from '#src/wire/endpoint.ts'

/** Google's list price of the call of a run, in US dollars (docs/google.md). */
export const REVIEW_CALL_USD = 0.025
/** Calls of runs that Google does not bill, per month. */
export const FREE_REVIEW_CALLS = 1_000

/** The numbers of tasks that the schedule runs: not paused, of active tenants. */
export const scheduledTasks = z.record(frequency, z.int())

/** The calls to Google in an average month, one for each run, and their list price in US dollars. */
export function monthlyCalls(tasks: Record<Frequency, number>): { calls: number; usd: number } {
  const calls = frequency.options.reduce((sum, often) => sum + tasks[often] * runsPerMonth(often), 0)
  return { calls: Math.round(calls), usd: Math.max(0, calls - FREE_REVIEW_CALLS) * REVIEW_CALL_USD }
}

/** The base of a forecast of calls to Google. */
export const countScheduledTasks = endpoint('GET', '/api/v1/admin/tasks/scheduled', {
  config: { capability: 'view' },
  operationId: 'tasks.count_scheduled',
  summary: 'Count the tasks that run, by frequency',
  tags: ['Tasks'],
  response: { 200: scheduledTasks },
})
