import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from './tables.ts'

/** A wrong counter, such as `users by role, manager` or `task_count of tenant …`. */
export type Difference = { where: string; kept: number; counted: number }

const ATTEMPTS_MAX = 5
/** SQLSTATE serialization_failure. */
const SERIALIZATION_FAILURE = '40001'

/**
 * Compares the counters with the rows, corrects wrong counters and returns them. Leaves out days whose calls are folded
 * into months, because their rows are gone. Runs in one transaction with one snapshot while others continue to write: a
 * correction is a difference and adds up with their changes.
 * Concurrent recounts run one after the other.
 */
export async function recount(db: Kysely<Database>): Promise<Difference[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (trx) => {
          // LOCK takes no snapshot, so the snapshot begins after the wait. Only recounts and VACUUM take this lock.
          await sql`lock table counters in share update exclusive mode`.execute(trx)
          return await correct(trx)
        })
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isSerializationFailure(error)) throw error
    }
  }
}

function isSerializationFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === SERIALIZATION_FAILURE
}

/** The wrong counters in a single snapshot. Changes nothing. */
export async function wrongCounters(db: Kysely<Database>): Promise<Difference[]> {
  return (await countersUnlikeRows(db)).map(differenceOf)
}

type Counter = { noun: string; facet: string; value: string; kept: number; counted: number }

async function correct(trx: Transaction<Database>): Promise<Difference[]> {
  const counters = await countersUnlikeRows(trx)
  for (const noun of new Set(counters.map((counter) => counter.noun))) {
    const steps = counters
      .filter((counter) => counter.noun === noun)
      .map(({ facet, value, kept, counted }) => ({ facet, value, step: counted - kept }))
    await sql`select add_to_counters(${noun}, ${JSON.stringify(steps)})`.execute(trx)
  }
  return counters.map(differenceOf)
}

async function countersUnlikeRows(db: Kysely<Database>): Promise<Counter[]> {
  const { rows } = await sql<Counter>`
    with counted as (
      select noun, facet, value, count(*) as count
      from (
        select 'tenants' as noun, to_jsonb(tenants) as record from tenants
        union all select 'users', to_jsonb(users) from users
        union all select 'api_keys', to_jsonb(api_keys) from api_keys
        union all select 'tasks', to_jsonb(tasks) from tasks
      ) as records
      cross join lateral facets_of(noun, record)
      group by noun, facet, value
      union all
      select 'api_key_calls', call_facet(outcome, environment), (since at time zone 'UTC')::date::text, sum(count)
      from api_key_calls where (since at time zone 'UTC')::date >= first_open_day() group by 2, 3
    ), kept as (
      select noun, facet, value, sum(count) as count
      from counters where noun <> 'api_key_calls' or value::date >= first_open_day() group by noun, facet, value
      union all
      select counts.* from tenants
      cross join lateral (values
        ('users', 'admin_count', id::text, admin_count),
        ('users', 'active_admin_count', id::text, active_admin_count),
        ('api_keys', 'api_key_count', id::text, api_key_count),
        ('tasks', 'task_count', id::text, task_count)
      ) as counts
    )
    select noun, facet, value, coalesce(kept.count, 0) as kept, coalesce(counted.count, 0) as counted
    from counted full join kept using (noun, facet, value)
    where coalesce(kept.count, 0) <> coalesce(counted.count, 0)
    order by noun, facet, value`.execute(db)
  return rows
}

function differenceOf({ noun, facet, value, kept, counted }: Counter): Difference {
  const where = facet.endsWith('_count') ? `${facet} of tenant ${value}` : `${noun} by ${facet}, ${value}`
  return { where, kept, counted }
}
