import { makePlaceRating } from '@switchboard/testing/place-rating-factory'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runTask } from '#src/tasks/runs/run-task.job.ts'
import { startTestWorker } from '#src/testing/test-worker.ts'
import { deleteOldReviews } from './old-reviews.queries.ts'

const { db, worker, newTask, runNow, taskRow } = await startTestWorker()
const ratingsOf = async (task_id: string) =>
  await db
    .selectFrom('place_ratings')
    .select(['rating', 'user_rating_count', sql<number>`(now() at time zone 'UTC')::date - day`.as('age')])
    .where('task_id', '=', task_id)
    .orderBy('day')
    .execute()

test('a run stores the rating of its place, one for a day', async () => {
  const task = await newTask()
  await runNow(task.id)
  await db.updateTable('place_ratings').set({ rating: 1, user_rating_count: 1 }).execute()
  await runNow(task.id)
  const { pulled_place } = await taskRow(task.id)
  const { rating, user_rating_count } = pulled_place ?? {}
  expect(rating).toBeGreaterThan(3)
  expect(await ratingsOf(task.id)).toEqual([{ rating, user_rating_count, age: 0 }])
})

test('ratings are deleted after thirty days, also those of deleted tenants', async () => {
  const task = await newTask()
  const day = (age: number) => sql<string>`(now() at time zone 'UTC')::date - ${age}::int`
  for (const age of [28, 29, 30]) await makePlaceRating(db, { task_id: task.id, day: day(age) })
  const gone = crypto.randomUUID()
  await sql`
    insert into deletions (root_id, root_table, is_root, table_name, record) values (${gone}, 'tenants', true, 'tenants', '{}')`.execute(
    db,
  )
  await sql`
    insert into deletions (root_id, root_table, is_root, table_name, record)
    select ${gone}, 'tenants', false, 'place_ratings', to_jsonb(place_ratings) from place_ratings
    where task_id = ${task.id}`.execute(db)
  await deleteOldReviews(db)
  expect((await ratingsOf(task.id)).map(({ age }) => age)).toEqual([29, 28])
  const { rows } = await sql`select from deletions where root_id = ${gone} and not is_root`.execute(db)
  expect(rows).toHaveLength(2)
})

test('a run deletes the ratings when reviews are not kept', async () => {
  const task = await newTask()
  await makePlaceRating(db, { task_id: task.id })
  const run = await db
    .insertInto('runs')
    .values({ task_id: task.id, trigger: 'schedule', outcome: 'queued' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await runTask({ ...worker.deps, areReviewsKept: false }, { run_id: run.id })
  expect(await ratingsOf(task.id)).toEqual([])
})
