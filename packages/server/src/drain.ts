import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Life } from './serve.ts'
import type { ZodApp } from './zod-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server still serves but is about to stop. Set on SIGTERM. */
    isDraining: boolean
  }
}

/** A turn of the event loop shorter than this, in milliseconds, had nothing to do. */
const QUIET_MS = 0.5
/** A server that never is quiet stops listening after so many turns all the same. */
const TURNS_MAX = 2_000

/**
 * While the server drains, `/readyz` answers 503 (health.routes.ts) and every answer closes its connection, so that a
 * balancer sends new requests elsewhere before the server stops listening.
 */
export function closeConnectionsWhileDraining(app: ZodApp): void {
  app.decorate('isDraining', false)
  app.addHook('onRequest', (_request, reply, done) => {
    if (app.isDraining) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', () => untilNoneWaits(app))
}

/** Drains the server for `seconds` when its process gets SIGTERM. */
export function drainOnStop(life: Life, app: ZodApp, seconds: number): void {
  life.onDrain({
    seconds,
    begin: () => {
      app.isDraining = true
    },
  })
}

/**
 * Waits until no connection waits to be accepted. The system resets those that wait when the server stops listening,
 * and a balancer does not repeat a POST that it has sent already. Node accepts one connection in a turn.
 */
async function untilNoneWaits(app: ZodApp): Promise<void> {
  let accepted = 0
  const count = () => void (accepted += 1)
  app.server.on('connection', count)
  for (let n = 0; n < TURNS_MAX; n += 1) {
    const [before, began] = [accepted, performance.now()]
    await nextTurn()
    if (accepted === before && performance.now() - began < QUIET_MS) break
  }
  app.server.off('connection', count)
}
