import { RUN_SORT_DEFAULT, type TaskRun, type TaskRunListQuery } from '@switchboard/contract/runs'
import type { Review, TaskReviews } from '@switchboard/contract/reviews'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { allRows } from '#src/lists/all-rows.queries.ts'
import { type Page, readPage } from '#src/lists/page.queries.ts'

const COLUMNS = [
  'id',
  'task_id',
  'trigger',
  'started_by',
  'outcome',
  'created_at',
  'started_at',
  'finished_at',
  'attempts',
  'interruptions',
  'retry_at',
  'reason',
  'message',
  'reviews_returned',
  'reviews_new',
  'reviews_changed',
] as const satisfies (keyof TaskRun)[]

const REVIEW_COLUMNS = [
  'name',
  'author_name',
  'author_uri',
  'author_photo_uri',
  'rating',
  'text',
  'language',
  'publish_time',
  'google_maps_uri',
  'first_seen_at',
  'last_seen_at',
  'last_changed_at',
] as const satisfies (keyof Review)[]

export async function pageOfRuns(
  db: Kysely<Database>,
  taskId: string,
  query: TaskRunListQuery & { limit: number },
): Promise<Page<TaskRun>> {
  return await readPage(db, runsOfTask(db, taskId, query), { ...query, sort: query.sort ?? RUN_SORT_DEFAULT })
}

export function allRuns(db: Kysely<Database>, taskId: string, query: TaskRunListQuery): AsyncGenerator<TaskRun[]> {
  const direction = (query.sort ?? RUN_SORT_DEFAULT).startsWith('-') ? 'desc' : 'asc'
  return allRows(db, runsOfTask(db, taskId, query).orderBy('created_at', direction).orderBy('id', direction))
}

function runsOfTask(db: Kysely<Database>, taskId: string, { outcome }: TaskRunListQuery) {
  return db
    .selectFrom('runs')
    .select(COLUMNS)
    .select(sql<number | null>`(extract(epoch from finished_at - started_at) * 1000)::int`.as('duration_ms'))
    .where('task_id', '=', taskId)
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? 'failed'))
}

/** Reviews of the last successful run; undefined for an unknown task. */
export async function lastPull(db: Kysely<Database>, taskId: string): Promise<TaskReviews | undefined> {
  const task = await db
    .selectFrom('tasks')
    .select(['last_run', 'are_reviews_kept', 'pulled_place'])
    .where('id', '=', taskId)
    .executeTakeFirst()
  if (task === undefined) return undefined
  const { last_run, are_reviews_kept: is_kept, pulled_place: place } = task
  if (last_run === null || is_kept === null) return { pulled_at: null, is_kept: null, place: null, reviews: [] }
  const reviews = await db
    .selectFrom('reviews')
    .select(REVIEW_COLUMNS)
    // Google repeats the text in `original_text` if there was no translation.
    .select(sql<string | null>`nullif(original_text, text)`.as('original_text'))
    .where('task_id', '=', taskId)
    .where('last_seen_at', '=', last_run)
    .orderBy('rank')
    .execute()
  return { pulled_at: last_run, is_kept, place, reviews }
}
