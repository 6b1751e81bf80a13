/** The major version of the embedded binaries. */
export const MAJOR = 18

/** For one machine with few connections. The log has starts, ends and crashes only, because errors reach the caller. */
const SETTINGS = {
  cluster_name: 'switchboard',
  max_connections: '60',
  shared_buffers: '64MB',
  max_logical_replication_workers: '0',
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  checkpoint_warning: '0',
  log_autovacuum_min_duration: '-1',
}

/** Settings that earlier versions do not know. */
const SINCE_18 = { io_method: 'sync' }

/** For tests, whose data need not survive a crash of the machine. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * The command line of `postgres` of a major version for our settings and `more`. Settings are part of the code, not of the cluster, so that an
 * older cluster gets current settings.
 */
export function settingArgs(durable: boolean, more: Record<string, string>, major = MAJOR): string[] {
  const settings = { ...SETTINGS, ...(major < 18 ? {} : SINCE_18), ...(durable ? {} : NOT_DURABLE), ...more }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
