import type { Trends } from '@switchboard/contract/dashboard/trends'
import { prepared } from '@switchboard/database/connection/prepared'
import type { Database } from '@switchboard/database/tables'
import { CompiledQuery, type Kysely } from 'kysely'

export type CountedDay = Trends['days'][number]

const COUNTED_DAYS = prepared(`
  select value as day,
    coalesce(sum(count) filter (where noun = 'users'), 0)::bigint as users,
    coalesce(sum(count) filter (where noun = 'tenants'), 0)::bigint as tenants,
    coalesce(sum(count) filter (where facet = 'accepted'), 0)::bigint as accepted,
    coalesce(sum(count) filter (where facet = 'refused'), 0)::bigint as refused
  from (values
    ('users', 'day'), ('tenants', 'day'), ('api_key_calls', 'accepted'), ('api_key_calls', 'refused')
  ) as shown (noun, facet)
  cross join lateral (
    select value, count from counters
    where counters.noun = shown.noun and counters.facet = shown.facet and value between $1 and $2
  ) as counted
  group by value order by value`)

/** The figures of those of the days, oldest first, that have any. */
export async function countedDays(db: Kysely<Database>, days: string[]): Promise<CountedDay[]> {
  const { rows } = await db.executeQuery<CountedDay>(CompiledQuery.raw(COUNTED_DAYS, [days[0], days.at(-1)]))
  return rows
}
