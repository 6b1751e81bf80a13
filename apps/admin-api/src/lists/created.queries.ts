import { sql } from 'kysely'

/** For tables with `created_at`: created on a day in UTC ("2026-11-01") or later. */
export function createdFrom(day: string) {
  return sql<boolean>`created_at >= ${day}::date::timestamp at time zone 'UTC'`
}

/** For tables with `created_at`: created on a day in UTC or earlier. */
export function createdTo(day: string) {
  return sql<boolean>`created_at < (${day}::date + 1)::timestamp at time zone 'UTC'`
}
