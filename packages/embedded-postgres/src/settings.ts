/** For one machine with few connections. The log has starts, ends and crashes only, because errors reach the caller. */
const SETTINGS = {
  cluster_name: 'switchboard',
  max_connections: '60',
  shared_buffers: '64MB',
  max_logical_replication_workers: '0',
  io_method: 'sync',
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

/** For tests, whose data need not survive a crash of the machine. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * `postgres`'s command line for our settings and `more`. Settings are part of the code, not of the cluster, so that an
 * older cluster gets current settings.
 */
export function settingArgs(durable: boolean, more: Record<string, string>): string[] {
  const settings = { ...SETTINGS, ...(durable ? {} : NOT_DURABLE), ...more }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
