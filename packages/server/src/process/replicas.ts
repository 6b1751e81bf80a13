import type { Registry } from '@prometheus-io/client'
import { createReplicas, IS_PRIMARY, type Replicas } from '@switchboard/database/replicas/replicas'
import type { Settings } from '#src/settings/env.ts'
import type { Log } from './log.ts'
import { countInMetrics, measureOne } from './metrics.ts'
import { type DatabaseUrls, encryptionWarning } from './open-database.ts'
import type { Lifecycle } from './serve.ts'

/** Opens the replicas of `DATABASE_READ_URLS` until the process stops, and logs when one is used or left. */
export function openReplicas(
  lifecycle: Pick<Lifecycle, 'onStop'>,
  { databaseReadUrls: urls, databasePool: max }: Settings,
  { url, directUrl }: DatabaseUrls,
  log: Log,
): Replicas {
  if (urls.length === 0) return createReplicas(null)
  for (const each of urls) for (const sentence of encryptionWarning(each, 'DATABASE_READ_URLS')) log.warn(sentence)
  const replicas = createReplicas({
    urls,
    primaryUrl: directUrl,
    max,
    isPooled: url !== directUrl,
    onChange: (place, reason) => {
      if (reason === null) log.info({ replica: place }, 'the replica is used')
      else if (reason === IS_PRIMARY) log.info({ replica: place }, 'the address leads to the primary now')
      else log.warn({ replica: place, reason }, 'the replica is not used; the primary answers instead')
    },
  })
  lifecycle.onStop(() => replicas.stop())
  return replicas
}

/** Adds the replicas and the reads of each side to the metrics. */
export function addReplicaMetrics(metrics: Registry, replicas: Replicas): void {
  countInMetrics(metrics, {
    name: 'database_replica_reads_total',
    help: 'Reads that a replica may answer, by the server that was asked',
    labelNames: ['result'],
    totals: () => Object.entries(replicas.reads()).map(([result, count]) => ({ labels: { result }, count })),
  })
  const states = replicas.states
  measureOne(
    metrics,
    { name: 'database_replicas', help: 'Replicas of DATABASE_READ_URLS, without the primary' },
    () => states().length,
  )
  measureOne(
    metrics,
    { name: 'database_replicas_used', help: 'Replicas that are close enough to the primary to be read' },
    () => states().filter(({ isUsed }) => isUsed).length,
  )
  measureOne(
    metrics,
    { name: 'database_replica_lag_seconds', help: 'Time by which the latest replica may be behind the primary' },
    () => Math.max(0, ...states().map(({ lagMs }) => lagMs)) / 1_000,
  )
}
