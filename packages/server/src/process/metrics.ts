import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import { poolCounts } from '@switchboard/database/connection/connect'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import type { EndListener } from '#src/http/on-end.ts'
import { VERSION } from '#src/settings/version.ts'
import type { ZodApp } from '#src/http/zod-app.ts'
import { countDroppedLines } from './log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Registry
  }
}

/** The pools of a process by their names in the metrics. */
export type Pools = Readonly<Record<string, Kysely<Database>>>

/** Creates the metrics of a process: Node's own, the version, dropped log lines and the pools of connections. */
export function createMetrics(pools: Pools): Registry {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const info = { name: 'switchboard_build_info', help: 'Always 1; the label names the running release' }
  measureInMetrics(register, { ...info, labelNames: ['version'] }, () => [{ labels: { version: VERSION }, value: 1 }])
  countInMetrics(register, {
    name: 'log_lines_dropped_total',
    help: 'Log lines dropped because their reader stalled',
    labelNames: [],
    totals: () => [{ labels: {}, count: countDroppedLines() }],
  })
  countInMetrics(register, {
    name: 'database_disk_full_total',
    help: 'Statements that PostgreSQL refused because its disk is full',
    labelNames: ['pool'],
    totals: () => Object.entries(pools).map(([pool, db]) => ({ labels: { pool }, count: poolCounts(db).diskFull })),
  })
  measurePools(register, pools)
  return register
}

function measurePools(register: Registry, pools: Pools): void {
  const gauges = [
    [
      'database_pool_max',
      'Maximum number of connections of a pool: main for requests, lists for streamed lists',
      'max',
    ],
    ['database_pool_in_use', 'Connections of a pool in use', 'inUse'],
    [
      'database_pool_waiting',
      'Callers that wait for a connection; they get 503 after two seconds, sign-ins after ten',
      'waiting',
    ],
  ] as const
  for (const [name, help, figure] of gauges)
    measureInMetrics(register, { name, help, labelNames: ['pool'] }, () =>
      Object.entries(pools).map(([pool, db]) => ({ labels: { pool }, value: poolCounts(db)[figure] })),
    )
}

/**
 * Decorates the app with its metrics. Pass each finished request to the returned listener, which measures the duration
 * by method, route and status. `ops.ts` serves the metrics.
 */
export function addMetrics(app: ZodApp, pools: Pools): EndListener {
  const metrics = createMetrics(pools)
  app.decorate('metrics', metrics)
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer; status 499 is a client that left',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  })
  // Caches the histogram of each label set: looking up labels costs more than counting.
  const observers = new Map<string, Map<string, Map<number, { observe: (seconds: number) => void }>>>()
  return ({ method }, route, status, ms) => {
    const byRoute = observers.getOrInsertComputed(method, () => new Map())
    const byStatus = byRoute.getOrInsertComputed(route, () => new Map())
    byStatus.getOrInsertComputed(status, () => duration.labels({ method, route, status })).observe(ms / 1_000)
  }
}

type Named = { name: string; help: string; labelNames: string[] }
type Counted = Named & {
  /** Read at each scrape. */
  totals: () => readonly { labels: Record<string, string>; count: number }[]
}

/** Adds a counter with labels. */
export function countInMetrics(metrics: Registry, { name, help, labelNames, totals }: Counted): void {
  metrics.registerMetric(
    new Counter({
      name,
      help,
      labelNames,
      registers: [],
      collect() {
        this.reset()
        for (const { labels, count } of totals()) this.inc(labels, count)
      },
    }),
  )
}

type Measured = readonly { labels: Record<string, string>; value: number }[]

/** Adds a gauge with labels, read at each scrape. */
export function measureInMetrics(metrics: Registry, named: Named, values: () => Measured | Promise<Measured>): void {
  metrics.registerMetric(
    new Gauge({
      ...named,
      registers: [],
      async collect() {
        for (const { labels, value } of await values()) this.set(labels, value)
      },
    }),
  )
}

/** Adds a gauge without labels, read at each scrape. */
export function measureOne(
  metrics: Registry,
  named: Omit<Named, 'labelNames'>,
  value: () => number | Promise<number>,
): void {
  measureInMetrics(metrics, { ...named, labelNames: [] }, async () => [{ labels: {}, value: await value() }])
}

/** Counts of one label, for `countInMetrics`. Each begins at 0, so that the first increase is seen as one. */
export type Counts<Value extends string> = {
  count: (value: Value, more?: number) => void
  totals: () => { labels: Record<string, Value>; count: number }[]
}

/** Creates the counts of the values of a label. */
export function createCounts<Value extends string>(label: string, values: readonly Value[]): Counts<Value> {
  const counts = new Map(values.map((value) => [value, 0]))
  return {
    count: (value, more = 1) => void counts.set(value, (counts.get(value) ?? 0) + more),
    totals: () => [...counts].map(([value, count]) => ({ labels: { [label]: value }, count })),
  }
}
