import type { IncomingMessage } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Lifecycle } from './serve.ts'
import type { ZodApp } from '#src/http/zod-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server still serves but is about to stop. */
    isDraining: boolean
  }
}

/**
 * A turn of the event loop that is shorter than this did nothing, in milliseconds. In a longer one, a connection may
 * have arrived after the turn looked for it.
 */
const QUIET_MS = 0.1
/** A busy server stops listening after this time. */
const QUIET_WAIT_MAX_MS = 1_000
/** Accepted connections may send their first request within this time. */
const SILENT_WAIT_MAX_MS = 5_000
const POLL_MS = 10

/**
 * While the server drains, `/readyz` answers 503 (health.routes.ts) and every answer closes its connection. A balancer
 * then sends new requests elsewhere before the server stops listening.
 */
export function closeConnectionsWhileDraining(app: ZodApp): void {
  app.decorate('isDraining', false)
  // When an answer is sent, not when its call begins: otherwise a call that is running when the drain begins leaves its
  // connection open for the balancer, until the server ends.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (app.isDraining) reply.header('connection', 'close')
    done(null, payload)
  })
}

/**
 * Drains the server for `seconds` when its process gets SIGTERM. Call after adding the stop of the server: stop functions
 * run in reverse order, and the server may close idle connections only after it has stopped listening.
 */
export function drainOnStop(lifecycle: Lifecycle, app: ZodApp, seconds: number): void {
  let silent: ReadonlySet<Socket> = new Set()
  lifecycle.onDrain({
    seconds,
    begin: () => {
      app.isDraining = true
      silent = silentConnections(app)
    },
  })
  lifecycle.onStop(async () => {
    if (app.isDraining) await stopListening(app, silent)
  })
}

/** The connections accepted from now on that have sent no request yet. */
function silentConnections({ server }: ZodApp): ReadonlySet<Socket> {
  const silent = new Set<Socket>()
  server.on('connection', (socket: Socket) => void silent.add(socket.once('close', () => silent.delete(socket))))
  server.on('request', ({ socket }: IncomingMessage) => void silent.delete(socket))
  return silent
}

/**
 * Stops listening in a quiet moment, then waits for the first request of each accepted connection. The system resets
 * connections that wait to be accepted when the server stops listening, and Node closes connections without a request as
 * soon as its HTTP server is closed. A balancer does not repeat a POST already sent over such a connection.
 */
async function stopListening({ server }: ZodApp, silent: ReadonlySet<Socket>): Promise<void> {
  const began = performance.now()
  let turnMs = Infinity
  // Node accepts one connection per turn, so a turn without work found no waiting connection.
  while ((silent.size > 0 || turnMs > QUIET_MS) && performance.now() - began < QUIET_WAIT_MAX_MS) {
    const turnBegan = performance.now()
    await nextTurn()
    turnMs = performance.now() - turnBegan
  }
  // Unlike the close of the HTTP server, this leaves accepted connections open.
  NetServer.prototype.close.call(server)
  const stopped = performance.now()
  while (silent.size > 0 && performance.now() - stopped < SILENT_WAIT_MAX_MS) await sleep(POLL_MS)
}
