import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import { isTracing } from '#src/process/tracing.ts'
import type { BusyPaths } from './busy-paths.ts'
import type { EndListener } from './on-end.ts'
import type { ZodApp } from './zod-app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the trace of the request, for the log. */
    traceId?: string
  }
}

/** The header of a caller that records its trace (W3C Trace Context). */
const SAMPLED = /^00-[\da-f]{32}-[\da-f]{16}-01$/

/**
 * Records a span for each request, which continues the trace of the header `traceparent`. A request of a busy path has a span
 * only in the recorded trace of a caller: the decision alone would cost a fifth of a key check. Pass each finished request
 * to the returned listeners. Without tracing there is no hook and no listener.
 */
export function traceRequests(app: ZodApp, busyPaths: BusyPaths): EndListener[] {
  if (!isTracing()) return []
  const tracer = trace.getTracer('switchboard')
  const contexts = new WeakMap<FastifyRequest, Context>()
  app.addHook('onRequest', (request, _reply, done) => {
    const isBusy = busyPaths.routeOf(request.raw.url) !== undefined
    if (isBusy && !SAMPLED.test(String(request.headers['traceparent']))) return done()
    const route = request.routeOptions.url ?? 'none'
    const parent = propagation.extract(ROOT_CONTEXT, request.headers)
    // Neither the URL nor headers: both may contain secrets.
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
    const own = trace.setSpan(parent, span)
    contexts.set(request, own)
    request.traceId = span.spanContext().traceId
    context.with(own, done)
  })
  // Node emits the events of a body outside of the context of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    const own = contexts.get(request)
    if (own === undefined) done()
    else context.with(own, done)
  })
  const end: EndListener = (request, _route, status) => {
    const span = trace.getSpan(contexts.get(request) ?? ROOT_CONTEXT)
    span?.setAttribute('http.response.status_code', status)
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }
  return [end]
}
