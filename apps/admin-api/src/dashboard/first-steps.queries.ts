import type { FirstSteps } from '@switchboard/contract/dashboard/first-steps'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { isWorking } from '#src/api-keys/key-state.queries.ts'

/** The state of the first steps, from indexes and counters. */
export async function stateOfFirstSteps(db: Kysely<Database>): Promise<Omit<FirstSteps, 'ai_api_url'>> {
  const { rows } = await sql<Omit<FirstSteps, 'ai_api_url'>>`
    with newest as (select id, name from tenants order by created_at desc, id desc limit 1)
    select
      (select json_build_object('id', id, 'name', name) from newest) as tenant,
      exists (select from users where tenant_id is not null) as has_user,
      exists (select from api_keys) as has_key,
      (
        select json_build_object(
          'id', id, 'is_working', is_working, 'key_prefix', key_prefix, 'key_start', key_start,
          'key_last4', key_last4, 'allowed_origin', allowed_origins[1]
        )
        from (
          select api_keys.*, ${isWorking} as is_working from api_keys where tenant_id = (select id from newest)
          order by is_working desc, created_at desc, id desc limit 1
        ) as first_key
      ) as key,
      case
        when ${isCounted('accepted')} then 'accepted' when ${isCounted('refused')} then 'refused' else 'none'
      end as calls,
      exists (select from tasks) as has_task`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The statement returned no row.')
  return row
}

/** Calls with live and test keys. */
function isCounted(facet: 'accepted' | 'refused') {
  return sql`(
    select sum(count) from counters
    where noun = 'api_key_calls' and facet in (${sql.lit(facet)}, ${sql.lit(`test_${facet}`)})
  ) > 0`
}
