import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Lifecycle } from './serve.ts'
import type { ZodApp } from '#src/http/zod-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server still serves but is about to stop. Set on SIGTERM. */
    isDraining: boolean
  }
}

/** The event loop was idle in a shorter turn, in milliseconds. */
const QUIET_MS = 0.5
const SETTLE_MS = 100
/** A busy server stops listening after this time. */
const WAIT_MAX_MS = 1_000

/**
 * While the server drains, `/readyz` answers 503 (health.routes.ts) and every answer closes its connection. A balancer
 * then sends new requests elsewhere before the server stops listening.
 */
export function closeConnectionsWhileDraining(app: ZodApp): void {
  app.decorate('isDraining', false)
  app.addHook('onRequest', (_request, reply, done) => {
    if (app.isDraining) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    if (app.isDraining) await acceptWaitingConnections(app)
  })
}

/** Drains the server for `seconds` when its process gets SIGTERM. */
export function drainOnStop(lifecycle: Lifecycle, app: ZodApp, seconds: number): void {
  lifecycle.onDrain({
    seconds,
    begin: () => {
      app.isDraining = true
    },
  })
}

/**
 * Waits until no connection waits to be accepted or for its first request. When the server stops listening, the system
 * resets the connections in the accept queue, and Node closes the connections without a request. A balancer does not
 * repeat a POST already sent over such a connection.
 */
async function acceptWaitingConnections({ server }: ZodApp): Promise<void> {
  const silent = new Set<Socket>()
  const add = (socket: Socket) => void silent.add(socket.once('close', () => silent.delete(socket)))
  const remove = ({ socket }: IncomingMessage) => void silent.delete(socket)
  server.on('connection', add).on('request', remove)
  const began = performance.now()
  // Connections accepted earlier send their first request within this time.
  await sleep(SETTLE_MS)
  let turnMs = Infinity
  while ((silent.size > 0 || turnMs > QUIET_MS) && performance.now() - began < WAIT_MAX_MS) {
    const turnBegan = performance.now()
    // Node accepts one connection per turn; the connection is then in `silent`.
    await nextTurn()
    turnMs = performance.now() - turnBegan
  }
  server.off('connection', add).off('request', remove)
}
