export type SessionSettings = Readonly<Record<string, string | number>>

/**
 * What our statements rely on, in every session: the defaults of the server, the database or the role may differ. Left to
 * the operator are `search_path`, `default_transaction_read_only` (a switch for maintenance) and `synchronous_commit`.
 * Deferrable transactions need no setting, because they are serializable ones.
 */
export const OUR_SETTINGS = {
  default_transaction_isolation: 'read committed',
  // Times, intervals, numbers and bytes as text.
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  extra_float_digits: 3,
  bytea_output: 'hex',
  // The meaning of statements: literals, lists with a null, names as text, and all matches of a search.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  quote_all_identifiers: 'off',
  gin_fuzzy_search_limit: 0,
  // No end of a session that waits for work, or that had an error.
  idle_session_timeout: 0,
  exit_on_error: 'off',
} as const satisfies SessionSettings

/** No time limits, also where the database or the role has some: for migrations, backups and commands. */
export const NO_LIMITS = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
} as const satisfies SessionSettings

/** Removes the limit of whole transactions. Earlier PostgreSQLs than 17 have none, and refuse it as a startup option. */
export const NO_TRANSACTION_LIMIT = `select ${withoutTransactionLimit(false)}`

function withoutTransactionLimit(isLocal: boolean): string {
  return `case when current_setting('transaction_timeout', true) <> '0' then set_config('transaction_timeout', '0', ${isLocal}) end`
}

/** The settings as the startup parameter `options` of a connection. */
export function startupOptions(settings: SessionSettings): string {
  const parts = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${`${value}`.replaceAll(/[\\\s]/g, '\\$&')}`,
  )
  return parts.join(' ')
}

/** The settings as a statement for a single transaction, as behind a transaction pooler. */
export function settingsOfTransaction(settings: SessionSettings): string {
  const calls = Object.entries(settings).map(([name, value]) => `set_config(${literal(name)}, ${literal(value)}, true)`)
  return `select ${[...calls, withoutTransactionLimit(true)].join(', ')}`
}

function literal(value: string | number): string {
  return `'${`${value}`.replaceAll("'", "''")}'`
}
