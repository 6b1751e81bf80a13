import type { ZodApp } from '@switchboard/server/http/zod-app'
import { countInMetrics, measureOne } from '@switchboard/server/process/metrics'
import type { KeyVerifier } from './key-verifier.service.ts'

/** Adds the checks of API keys, the cache and the unwritten use to the metrics. All of them are read at each scrape. */
export function addKeyMetrics(metrics: ZodApp['metrics'], { totals, figures }: KeyVerifier): void {
  countInMetrics(metrics, {
    name: 'api_key_checks_total',
    help: 'Checks of API keys by environment and outcome',
    labelNames: ['environment', 'outcome'],
    totals,
  })
  countInMetrics(metrics, {
    name: 'api_key_cache_reads_total',
    help: 'Look-ups of keys in the cache; a miss reads the database',
    labelNames: ['result'],
    totals: () => [
      { labels: { result: 'hit' }, count: figures().hits },
      { labels: { result: 'miss' }, count: figures().misses },
    ],
  })
  measureOne(
    metrics,
    { name: 'api_key_cache_trusted', help: 'Whether changes of keys are received, so that the cache is used' },
    () => Number(figures().isCacheTrusted),
  )
  measureOne(
    metrics,
    {
      name: 'api_key_heartbeat_age_seconds',
      help: 'Age of the latest heartbeat of the connection for changes of keys; above 0.8 the cache is not trusted',
    },
    () => figures().heartbeatAge / 1_000,
  )
  measureOne(
    metrics,
    { name: 'api_key_checks_unwritten', help: 'Counted checks of keys that are not in the database yet' },
    () => figures().unwritten,
  )
  measureOne(
    metrics,
    {
      name: 'api_key_checks_unwritten_seconds',
      help: 'Time since all counted checks of keys were written, usually below 12',
    },
    () => figures().unwrittenAge / 1_000,
  )
}
