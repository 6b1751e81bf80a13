import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Calls of a key in the hour of `at`, now by default, as an ai-api counts them: accepted ones are its last use. */
export async function makeCalls(
  db: Kysely<Database>,
  api_key_id: string,
  outcome: KeyOutcome,
  { count = 1, at = new Date() }: { count?: number; at?: Date } = {},
): Promise<void> {
  await sql`
    insert into api_key_calls as stored (api_key_id, environment, since, outcome, count, last_at)
    select id, environment, date_trunc('hour', ${at}::timestamptz, 'UTC'), ${outcome}, ${count}, ${at} from api_keys
    where id = ${api_key_id}
    on conflict (api_key_id, since, outcome) do update
    set count = stored.count + excluded.count, last_at = greatest(stored.last_at, excluded.last_at)`.execute(db)
  if (outcome !== 'valid') return
  await sql`update api_keys set last_used_at = greatest(last_used_at, ${at}) where id = ${api_key_id}`.execute(db)
}
