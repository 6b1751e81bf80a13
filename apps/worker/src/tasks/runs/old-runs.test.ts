import { RUNS_KEPT_MAX } from '@switchboard/contract/runs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestWorker } from '#src/testing/test-worker.ts'
import { deleteOldRuns } from './old-runs.queries.ts'

const { db, newTask, runNow } = await startTestWorker()

/** Ended runs, created this many days ago. Returns a function that reads the days of the remaining ones. */
async function runsOfDays(task_id: string, days: number[]) {
  const ended = { task_id, trigger: 'schedule', outcome: 'succeeded', finished_at: sql<Date>`now()` } as const
  await db
    .insertInto('runs')
    .values(days.map((day) => ({ ...ended, created_at: sql<Date>`now() - make_interval(days => ${day}::int)` })))
    .execute()
  return async () => {
    const { rows } = await sql<{ day: number }>`
      select round(extract(epoch from now() - created_at) / 86400)::int as day from runs
      where task_id = ${task_id} order by created_at desc`.execute(db)
    return rows.map(({ day }) => day)
  }
}

test('runs are deleted after a year, but not the last run of a task', async () => {
  const days = await runsOfDays((await newTask()).id, [1, 364, 366, 500])
  const daysOfStopped = await runsOfDays((await newTask({ extra_data: { place_id: 'stopped' } })).id, [400, 401])
  await deleteOldRuns(db)
  expect(await days()).toEqual([1, 364])
  expect(await daysOfStopped()).toEqual([400])
})

test('a run deletes the runs of its task beyond the newest 200', async () => {
  const { id } = await newTask({ extra_data: { place_id: 'many' } })
  const other = await runsOfDays((await newTask()).id, [2])
  const days = await runsOfDays(
    id,
    Array.from({ length: RUNS_KEPT_MAX + 40 }, (_, n) => n + 1),
  )
  await runNow(id)
  expect(await days()).toEqual(Array.from({ length: RUNS_KEPT_MAX }, (_, n) => n))
  expect(await other()).toEqual([2])
})
