import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { EndListener } from '#src/http/on-end.ts'
import { VERSION } from '#src/settings/version.ts'
import type { ZodApp } from '#src/http/zod-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Registry
  }
}

/** Creates the metrics of a process: Node's own and the version. */
export function createMetrics(): Registry {
  const register = new Registry()
  collectDefaultMetrics({ register })
  new Gauge({
    name: 'switchboard_build_info',
    help: 'Always 1; the label names the running release',
    labelNames: ['version'],
    registers: [register],
  }).set({ version: VERSION }, 1)
  return register
}

/**
 * Decorates the app with its metrics. Pass each finished request to the returned listener, which measures the duration
 * by method, route and status. `ops.ts` serves the metrics.
 */
export function addMetrics(app: ZodApp): EndListener {
  const metrics = createMetrics()
  app.decorate('metrics', metrics)
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer',
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

type Counted = {
  name: string
  help: string
  labelNames: string[]
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
