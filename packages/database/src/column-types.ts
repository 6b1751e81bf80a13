import type { ColumnType } from 'kysely'

/** A time: read and compared as ISO 8601 text in UTC, written as a Date. */
export type Moment = ColumnType<string, Date, Date>
/** A time with a default in the database. */
export type GeneratedMoment = ColumnType<string, Date | undefined, Date>
/** A column that only the database writes. */
export type ReadOnly<T> = ColumnType<T, never, never>

/** The nouns with counters. */
export type CountedNoun = 'tenants' | 'users' | 'api_keys' | 'tasks' | 'api_key_calls'

/** The tables whose records can be deleted and restored. */
export type DeletedTable = 'tenants' | 'users' | 'api_keys' | 'tasks'
