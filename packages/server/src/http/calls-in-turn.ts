import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * A connection closes after this many calls, with `Connection: close` in the last answer, because proxies keep
 * connections for hours. Clients that do not pipeline lose no call.
 */
const CALLS_MAX = 10_000

/**
 * Maximum number of calls of a connection that wait for an earlier answer. Browsers and proxies do not pipeline: they
 * send a call after the answer to the last one.
 */
const PIPELINED_MAX = 100

type Call = { request: FastifyRequest; start: () => void }

/**
 * Runs the pipelined calls of a connection one after another, so that a client cannot make the server work for answers
 * that it does not read, and no call starts after its connection has closed. Closes a connection with too many
 * pipelined calls. Its client has to retry the unanswered calls (RFC 9112, 9.3.2). Register this before any other hook.
 */
export function runCallsInTurn(app: Pick<FastifyInstance, 'server' | 'addHook'>, callsMax = CALLS_MAX): void {
  app.server.maxRequestsPerSocket = callsMax
  const connections = new WeakMap<Socket, Call[]>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { socket } = request.raw
    if (isClosed(socket)) return
    const calls = connections.getOrInsertComputed(socket, () => [])
    calls.push({ request, start: done })
    if (calls.length === 1) return done()
    if (calls.length > PIPELINED_MAX) socket.destroy()
  })
  // Not called when the connection is closed before the end of the answer.
  app.addHook('onResponse', (request, _reply, done) => {
    const calls = connections.get(request.raw.socket)
    if (calls?.[0]?.request === request) {
      calls.shift()
      if (!isClosed(request.raw.socket)) calls[0]?.start()
    }
    done()
  })
}

/** True also after an answer with `Connection: close`. */
function isClosed(socket: Socket): boolean {
  return socket.destroyed || socket.writableEnded
}
