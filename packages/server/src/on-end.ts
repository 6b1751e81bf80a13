import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZodApp } from './zod-app.ts'

/** What is noted for a client that left before its answer was whole; nobody receives it. */
const CLIENT_CLOSED = 499

/** Calls back once for every request that has ended, answered or cut, with its status and time in milliseconds. */
export function onEnd(app: ZodApp, listener: (request: FastifyRequest, status: number, ms: number) => void): void {
  const ended = new WeakSet<FastifyRequest>()
  const end = (request: FastifyRequest, reply: FastifyReply, status: number) => {
    if (ended.has(request)) return
    ended.add(request)
    listener(request, status, reply.elapsedTime)
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      if (!reply.raw.writableEnded) end(request, reply, CLIENT_CLOSED)
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    end(request, reply, reply.statusCode)
    done()
  })
}
