import { sql } from 'kysely'

/** For rows with `created_at`: created on the first day of UTC or later, "2026-11-01". */
export function createdFrom(day: string) {
  return sql<boolean>`created_at >= ${day}::date::timestamp at time zone 'UTC'`
}

/** For rows with `created_at`: created on the last day of UTC or before. */
export function createdTo(day: string) {
  return sql<boolean>`created_at < (${day}::date + 1)::timestamp at time zone 'UTC'`
}
