import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { onEnd } from './on-end.ts'
import type { ZodApp } from './zod-app.ts'

/** `/metrics` for Prometheus: Node's own figures and the time of every request by method, route and status. */
export function addMetrics(app: ZodApp): void {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  })
  onEnd(app, (request, status, ms) => {
    // Paths that match no route share one label: their number has no bound.
    const route = request.routeOptions.url ?? 'none'
    duration.observe({ method: request.method, route, status }, ms / 1_000)
  })
  app.get('/metrics', { config: { public: true }, schema: { hide: true } }, async (_request, reply) => {
    return reply.type(register.contentType).send(await register.metrics())
  })
}
