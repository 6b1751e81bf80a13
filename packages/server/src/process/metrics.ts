import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { EndListener } from '#src/http/on-end.ts'
import { VERSION } from '#src/settings/version.ts'
import type { ZodApp } from '#src/http/zod-app.ts'

const registers = new WeakMap<ZodApp, Registry>()

/**
 * Collects Node's own figures, the version, and the duration of every request by method, route and status. The caller
 * passes each finished request to the returned listener. `ops.ts` serves the figures.
 */
export function addMetrics(app: ZodApp): EndListener {
  const register = new Registry()
  registers.set(app, register)
  collectDefaultMetrics({ register })
  new Gauge({
    name: 'switchboard_build_info',
    help: 'Always 1; the label names the running release',
    labelNames: ['version'],
    registers: [register],
  }).set({ version: VERSION }, 1)
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  })
  // One for each set of labels: looking labels up costs more than counting.
  const observers = new Map<string, Map<string, Map<number, { observe: (seconds: number) => void }>>>()
  return ({ method }, route, status, ms) => {
    const byRoute = observers.getOrInsertComputed(method, () => new Map())
    const byStatus = byRoute.getOrInsertComputed(route, () => new Map())
    byStatus.getOrInsertComputed(status, () => duration.labels({ method, route, status })).observe(ms / 1_000)
  }
}

/** The metrics of an app that `addMetrics` was called on. */
export function metricsOf(app: ZodApp): Registry {
  const register = registers.get(app)
  if (register === undefined) throw new Error('This app has no metrics.')
  return register
}

/** Adds a counter with one label to the metrics. Each scrape reads its values from `totals`. */
export function countInMetrics(
  app: ZodApp,
  name: string,
  help: string,
  label: string,
  totals: () => ReadonlyMap<string, number>,
): void {
  metricsOf(app).registerMetric(
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [],
      collect() {
        this.reset()
        for (const [value, count] of totals()) this.inc({ [label]: value }, count)
      },
    }),
  )
}
