import { listTaskRuns } from '@switchboard/contract/runs'
import { taskList } from '@switchboard/contract/tasks'
import { makeManyRuns, makeManyTasks, makeManyTenants, makeTask, makeTenant } from '@switchboard/testing/factories'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { benchList, cursorAt } from './list.ts'
import { amount, type Figure } from '#scripts/bench/measure.ts'

const TASKS = 100_000
const TASKS_PER_TENANT = 100
/** Number of running tasks, for any number of tasks. */
const RUNNING = 20

const RUNS = 10_000
/** The task with the measured runs, and the number of other tasks with as many runs. */
const TASK_ID = '7a5c0000-0000-4000-8000-000000000001'
const OTHERS = 9

/** A page of tasks at 1,000 and at 100,000 tasks; then a page of runs of a task with 10,000 runs. */
export async function benchTaskLists(): Promise<Figure[]> {
  return [...(await benchTaskPages()), ...(await benchRunPages())]
}

async function benchTaskPages(): Promise<Figure[]> {
  const { figuresOf, growthOf, deepFigure, p50 } = await benchList({
    noun: 'tasks',
    url: taskList.list.url,
    large: TASKS,
    fill: fillTasks,
    pages: async (db, count) => {
      const { tenant_id, tenant_name, extra_data } = await db
        .selectFrom('tasks')
        .select(['tenant_id', 'tenant_name', 'extra_data'])
        .orderBy('created_at')
        .executeTakeFirstOrThrow()
      const deep = (sort: string) => cursorAt(db, 'tasks', sort, Math.floor(count / 2))
      return {
        'first page': '',
        'deep page': `cursor=${await deep('-created_at')}`,
        'by next run': 'sort=next_run',
        'by tenant, deep': `sort=tenant_name&cursor=${await deep('tenant_name')}`,
        // Ten digits of a single place id.
        'rare substring': `q=${extra_data.place_id.slice(10, 20)}`,
        'whole place id': `q=${extra_data.place_id}`,
        'whole name of a tenant': `q=${tenant_name.replaceAll(' ', '+')}`,
        'substring that a tenth have': 'q=bakery&sort=tenant_name',
        daily: 'frequency=daily',
        'one tenant': `tenant_id=${tenant_id}`,
        'on schedule': 'state=on_schedule',
        'of inactive tenants': 'state=tenant_inactive',
        paused: 'state=paused',
        'failing, by tenant': 'state=failing&sort=tenant_name',
        'paused, by next run': 'state=paused&sort=next_run',
        running: 'state=running',
      }
    },
  })
  const many = `tasks at ${TASKS.toLocaleString('en')}`
  return [
    ...['first page', 'deep page', 'by next run', 'by tenant, deep', 'rare substring'].flatMap(figuresOf),
    ...[
      'daily',
      'one tenant',
      'on schedule',
      'of inactive tenants',
      'paused',
      'paused, by next run',
      'failing, by tenant',
      'running',
    ].map(growthOf),
    deepFigure,
    amount(`${many}, rare substring: in the server, p50`, p50('rare substring', 'byHand'), 'ms', 5),
    // Many other rows have the same words, so the index has to recheck all of these rows.
    ...['whole place id', 'whole name of a tenant'].map((page) =>
      amount(`${many}, ${page}: over HTTP, p50`, p50(page, 'http'), 'ms', 60),
    ),
    amount(
      `${many}, substring that a tenth have: over HTTP, p50`,
      p50('substring that a tenth have', 'http'),
      'ms',
      100,
    ),
  ]
}

async function fillTasks(db: Kysely<Database>, count: number): Promise<void> {
  await makeManyTenants(db, Math.max(10, count / TASKS_PER_TENANT))
  await makeManyTasks(db, count)
  await markTasks(db)
}

/** One task in ten is paused and the last run of one in ten failed, so a page of each is full; twenty tasks are running. */
export async function markTasks(db: Kysely<Database>): Promise<void> {
  await sql`
    update tasks set is_paused = place % 10 = 0, last_outcome = case when place % 10 = 1 then 'failed' else 'succeeded' end
    from (select id, row_number() over (order by created_at) as place from tasks) as numbered
    where numbered.id = tasks.id`.execute(db)
  await sql`
    insert into runs (task_id, trigger, outcome) select id, 'schedule', 'queued' from tasks limit ${RUNNING}`.execute(
    db,
  )
}

async function benchRunPages(): Promise<Figure[]> {
  const { figuresOf, growthOf, deepFigure } = await benchList({
    noun: 'runs of a task',
    url: listTaskRuns.url.replace(':task_id', TASK_ID),
    large: RUNS,
    fill: async (db, count) => {
      const { id: tenant_id } = await makeTenant(db)
      await makeTask(db, { id: TASK_ID, tenant_id })
      await makeManyRuns(db, TASK_ID, count)
      for (let other = 0; other < OTHERS; other += 1)
        await makeManyRuns(db, (await makeTask(db, { tenant_id })).id, count)
    },
    pages: async (db, count) => {
      const own = sql<boolean>`task_id = ${TASK_ID}`
      return {
        'first page': '',
        'deep page': `cursor=${await cursorAt(db, 'runs', '-created_at', Math.floor(count / 2), { where: own })}`,
        failed: 'outcome=failed',
      }
    },
  })
  return [...['first page', 'deep page'].flatMap(figuresOf), growthOf('failed'), deepFigure]
}
