import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BusyPaths } from './busy-paths.ts'
import type { ZodApp } from './zod-app.ts'

/**
 * Status in log and metrics of a request whose client left before the answer was complete. No client receives this
 * status.
 */
export const CLIENT_CLOSED = 499

/** Receives an ended request with the pattern of its route ("none" without a route), status and duration. */
export type EndListener = (request: FastifyRequest, route: string, status: number, ms: number) => void

/**
 * Calls every listener once for every ended request, answered or aborted. Aborted requests of busy paths are not
 * detected: their answers are written in one piece.
 */
export function onEnd(app: ZodApp, busyPaths: BusyPaths, listeners: readonly EndListener[]): void {
  const ended = new WeakSet<FastifyRequest>()
  const notify = (request: FastifyRequest, route: string, status: number, ms: number) => {
    for (const listener of listeners) listener(request, route, status, ms)
  }
  const end = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    if (ended.has(request)) return
    ended.add(request)
    notify(request, request.routeOptions.url ?? 'none', status, reply.elapsedTime)
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (busyPaths.routeOf(request.raw.url) === undefined)
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) end(request, reply, CLIENT_CLOSED)
      })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // `routeOptions` would create an object for every request.
    const busyRoute = busyPaths.routeOf(request.raw.url)
    if (busyRoute !== undefined) notify(request, busyRoute, reply.statusCode, reply.elapsedTime)
    else end(request, reply, reply.statusCode)
    done()
  })
}
