import type { LogSink } from '@switchboard/contract/signals/log-sinks'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'

/** All log sinks as the console shows them, oldest first. */
export async function logSinks(db: Kysely<Database>): Promise<LogSink[]> {
  return await sinks(db).orderBy('created_at').orderBy('log_sinks.id').execute()
}

/** A log sink as the console shows it. */
export async function logSink(db: Kysely<Database>, id: string): Promise<LogSink | undefined> {
  return await sinks(db).where('log_sinks.id', '=', id).executeTakeFirst()
}

/**
 * For rows of `log_sinks` with their next entry, `next`: how long it has waited, in seconds. An entry waits since it happened,
 * or for a file since the end of its day in UTC, and for a new sink since its creation.
 */
export const secondsBehind = sql<number>`case when next.seq is null then 0
  else greatest(floor(extract(epoch from now() - greatest(
    log_sinks.created_at,
    case kind when 'file' then (date_trunc('day', next.at at time zone 'UTC') + interval '1 day') at time zone 'UTC'
    else next.at end
  ))), 0)::int end`

function sinks(db: Kysely<Database>) {
  return db
    .selectFrom('log_sinks')
    .innerJoin('audit_head', (join) => join.onTrue())
    .leftJoin('audit_log as next', (join) => join.on('next.seq', '=', sql<number>`log_sinks.position + 1`))
    .select([
      'log_sinks.id',
      'kind',
      'name',
      'log_sinks.address',
      'certificate_authority',
      'header_names',
      'public_key',
      'is_on',
      'first_seq',
      'position',
      'last_sent_at',
      'failing_since',
      'problem',
      'next_attempt_at',
      'test_requested_at',
      'tested_at',
      'test_problem',
      'created_at',
      'version',
      sql<boolean>`kind = 'syslog' and secret is not null`.as('has_client_certificate'),
      sql<number>`greatest(audit_head.seq - position, 0)`.as('entries_behind'),
      secondsBehind.as('seconds_behind'),
    ])
}
