import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import type { EndListener } from './on-end.ts'
import type { ZodApp } from './zod-app.ts'

const registers = new WeakMap<ZodApp, Registry>()

/**
 * `/metrics` for Prometheus: Node's own figures and the time of every request by method, route and status, which the
 * caller has to tell the returned listener.
 */
export function addMetrics(app: ZodApp): EndListener {
  const register = new Registry()
  registers.set(app, register)
  collectDefaultMetrics({ register })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  })
  // One for each set of labels: looking labels up costs more than counting.
  const observers = new Map<string, Map<string, Map<number, { observe: (seconds: number) => void }>>>()
  app.get('/metrics', { config: { public: true }, schema: { hide: true } }, async (_request, reply) => {
    return reply.type(register.contentType).send(await register.metrics())
  })
  return ({ method }, route, status, ms) => {
    const byRoute = observers.getOrInsertComputed(method, () => new Map())
    const byStatus = byRoute.getOrInsertComputed(route, () => new Map())
    byStatus.getOrInsertComputed(status, () => duration.labels({ method, route, status })).observe(ms / 1_000)
  }
}

/** A counter of `/metrics` by one label, read from what the caller counts anyway. */
export function countInMetrics(
  app: ZodApp,
  name: string,
  help: string,
  label: string,
  totals: () => ReadonlyMap<string, number>,
): void {
  const register = registers.get(app)
  if (register === undefined) throw new Error('This app has no metrics.')
  register.registerMetric(
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
