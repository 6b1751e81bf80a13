import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZodApp } from './zod-app.ts'

/**
 * Status in log and metrics of a request whose client left before the answer was complete. No client receives this
 * status.
 */
export const CLIENT_CLOSED = 499

/** Told how a request ended: the pattern of its route ("none" without one), its status, its time in milliseconds. */
export type EndListener = (request: FastifyRequest, route: string, status: number, ms: number) => void

/**
 * Calls every listener once for every request that has ended, answered or cut. On a busy path nobody watches for
 * clients that leave early: their answers are written whole as soon as they are begun.
 */
export function onEnd(app: ZodApp, busyPaths: ReadonlySet<string>, listeners: readonly EndListener[]): void {
  const ended = new WeakSet<FastifyRequest>()
  const tell = (request: FastifyRequest, route: string, status: number, ms: number) => {
    for (const listener of listeners) listener(request, route, status, ms)
  }
  const end = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    if (ended.has(request)) return
    ended.add(request)
    tell(request, request.routeOptions.url ?? 'none', status, reply.elapsedTime)
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (!busyPaths.has(request.raw.url ?? ''))
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) end(request, reply, CLIENT_CLOSED)
      })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const path = request.raw.url ?? ''
    // A busy path is its own pattern; asking Fastify for it makes an object each time.
    if (busyPaths.has(path)) tell(request, path, reply.statusCode, reply.elapsedTime)
    else end(request, reply, reply.statusCode)
    done()
  })
}
