import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Calls of a connection before the answer says `Connection: close`. Proxies keep connections for hours; a client that
 * does not send its calls in advance loses none.
 */
const CALLS_MAX = 10_000

/** Calls of a connection that wait for an earlier answer. Browsers and proxies send a call after the answer to the last. */
const PIPELINED_MAX = 100

type Call = { request: FastifyRequest; start: () => void }

/**
 * Runs the calls of a connection one after another, so that a client cannot make the server work for answers that it
 * does not read, and no work begins for a closed connection. Closes a connection with too many calls sent in advance: its
 * client sends the unanswered ones again (RFC 9112, 9.3.2). Call before any other hook.
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

/** Also after an answer with `Connection: close`. */
function isClosed(socket: Socket): boolean {
  return socket.destroyed || socket.writableEnded
}
