import type { FastifyInstance, FastifyReply } from 'fastify'
import type { BusyPaths } from './busy-paths.ts'

/** Time limit for a client to receive a whole answer, in milliseconds: the same as for a whole request. */
const ANSWER_MS = 15_000

/** Time limit of a socket without traffic, in milliseconds. Twice the limit of an answer. */
const silenceMs = (answerMs: number): number => 2 * answerMs

/** Longest answer that fits into the buffer of a socket, in characters. */
const SHORT_MAX = 16_384

/** Maximum number of connections of a server. A client that does not read holds its answer in memory. */
const CONNECTIONS_MAX = 5_000

const streams = new WeakSet<FastifyReply>()

type SlowClientLimits = { busyPaths: BusyPaths; answerMs?: number | undefined; connectionsMax?: number }

/**
 * Disconnects clients that read an answer too slowly, and limits the connections. When the limit is reached,
 * idle connections are closed to make room. An idle connection between two requests has the server's
 * `keepAliveTimeout`.
 */
export function disconnectSlowClients(
  app: Pick<FastifyInstance, 'server' | 'addHook'>,
  { busyPaths, answerMs = ANSWER_MS, connectionsMax = CONNECTIONS_MAX }: SlowClientLimits,
): void {
  app.server.setTimeout(silenceMs(answerMs))
  app.server.maxConnections = connectionsMax
  app.server.on('drop', () => app.server.closeIdleConnections())
  app.addHook('onSend', (request, reply, payload, done) => {
    // The short answers of busy paths fit into the buffer of the socket.
    const isLong = typeof payload === 'string' && payload.length > SHORT_MAX
    if ((isLong || busyPaths.routeOf(request.raw.url) === undefined) && !streams.has(reply)) {
      const timer = setTimeout(() => reply.raw.destroy(), answerMs)
      reply.raw.once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
}

/**
 * Removes the time limit of an answer, as long as its reader never stops for `stalledMs`. Call before sending the
 * answer.
 */
export function disconnectOnlyWhenStalled(reply: FastifyReply, stalledMs: number): void {
  streams.add(reply)
  reply.raw.setTimeout(stalledMs, () => reply.raw.destroy())
}
