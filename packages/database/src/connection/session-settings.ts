export type SessionSettings = Readonly<Record<string, string | number>>

/**
 * The settings that our statements rely on, set in every session, because the defaults of the server, the database or
 * the role may differ. `search_path`, `default_transaction_read_only` (a switch for maintenance) and
 * `synchronous_commit` are left to the operator. `default_transaction_deferrable` needs no value, because it only
 * affects serializable transactions.
 */
export const OUR_SETTINGS = {
  default_transaction_isolation: 'read committed',
  // The text format of times, intervals, numbers and bytes.
  timezone: 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  extra_float_digits: 3,
  bytea_output: 'hex',
  // The meaning of statements: string literals, arrays with nulls, quoted names, and the number of matches of a search.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  quote_all_identifiers: 'off',
  gin_fuzzy_search_limit: 0,
  // A session must not end because it waits for work or had an error.
  idle_session_timeout: 0,
  exit_on_error: 'off',
} as const satisfies SessionSettings

/** No time limits for migrations, backups and commands, even if the database or the role has some. */
export const NO_LIMITS = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
} as const satisfies SessionSettings

/**
 * Removes the time limit of whole transactions. PostgreSQL before 17 has no such limit and refuses it as a startup
 * option.
 */
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
