import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from '@prometheus-io/client'
import type { Patience } from '@switchboard/database/start/until-started'
import type { Database } from '@switchboard/database/tables'
import Fastify from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import { runCallsInTurn } from '#src/http/calls-in-turn.ts'
import { answerClientError } from '#src/http/client-errors.ts'
import { answerError } from '#src/http/error-handler.ts'
import { AppError } from '#src/http/errors.ts'
import { addSecurityHeaders } from '#src/http/headers.ts'
import { addHealthRoutes } from './health.routes.ts'
import { checkHost, isLocalHost } from '#src/http/host.ts'
import type { Log } from './log.ts'
import { serializerCompiler } from '#src/http/serializer.ts'
import { close, type Lifecycle, listen } from './serve.ts'
import { busyPathsOf } from '#src/http/busy-paths.ts'
import { disconnectSlowClients } from '#src/http/slow-clients.ts'
import { NOT_FOUND } from '#src/http/unknown-routes.ts'
import type { ZodApp } from '#src/http/zod-app.ts'

/** Where operators reach a server. `variable` is the setting to name when the port is taken. */
type OpsAddress = { host: string; port: number; variable: 'OPS_PORT' | 'AI_OPS_PORT' | 'WORKER_OPS_PORT' }

/** Prometheus and a few people use this port. Further connections are refused before they cost much. */
const CONNECTIONS_MAX = 100
const CALLS_MAX = 100
/** Pause between two collections of the metrics, in milliseconds. */
const COLLECT_EVERY_MS = 100

/** Serves the metrics of `app` until the process ends. Returns the address. Throws a StartError when the port is not available. */
export async function serveOps(
  lifecycle: Lifecycle,
  app: ZodApp,
  { patience, ...address }: OpsAddress & { patience: Patience },
): Promise<string> {
  return await serve(lifecycle, createOpsApp(app, { isLoopback: isLoopbackHost(address.host) }), address, patience)
}

/** Serves metrics and health of a worker until the process ends, as `serveOps`. */
export async function serveWorkerOps(
  lifecycle: Lifecycle,
  { db, metrics, log, patience }: { db: Kysely<Database>; metrics: Registry; log: Log; patience: Patience },
  address: OpsAddress,
): Promise<string> {
  const ops = createBaseApp(metrics, isLoopbackHost(address.host))
  ops.setValidatorCompiler(validatorCompiler)
  ops.setSerializerCompiler(serializerCompiler)
  addHealthRoutes(ops, { db, isSetUp: async () => true, isDraining: () => false, log })
  return await serve(lifecycle, ops, address, patience)
}

async function serve(lifecycle: Lifecycle, ops: OpsApp, address: OpsAddress, patience: Patience): Promise<string> {
  lifecycle.onStop(() => close(ops))
  return await listen(ops, { ...address, hostVariable: 'OPS_HOST' }, patience)
}

function isLoopbackHost(host: string): boolean {
  return /^(127\.|::1$|localhost$)/.test(host)
}

/**
 * Builds the operators' side of `app`, which needs no token: `/metrics` for Prometheus. On a loopback address only requests for
 * names of this machine are answered.
 */
export function createOpsApp({ metrics }: ZodApp, { isLoopback }: { isLoopback: boolean }): OpsApp {
  return createBaseApp(metrics, isLoopback)
}

type OpsApp = ReturnType<typeof createBaseApp>

function createBaseApp(metrics: Registry, isLoopback: boolean) {
  const ops = Fastify({
    requestTimeout: 15_000,
    // The plugins are part of the start, which has no such limit.
    pluginTimeout: 0,
    http: { headersTimeout: 10_000, requireHostHeader: false },
    clientErrorHandler: answerClientError,
  }).withTypeProvider<ZodTypeProvider>()
  runCallsInTurn(ops, CALLS_MAX)
  disconnectSlowClients(ops, { busyPaths: busyPathsOf([]), connectionsMax: CONNECTIONS_MAX })
  addSecurityHeaders(ops, busyPathsOf([]))
  checkHost(ops, (host) => !isLoopback || isLocalHost(host))
  refuseOtherPages(ops)
  ops.setErrorHandler(answerError)
  ops.setNotFoundHandler((_request, reply) => reply.code(404).send(NOT_FOUND))
  const figures = sharedFigures(metrics)
  ops.get('/metrics', async (_request, reply) => await reply.type(metrics.contentType).send(await figures()))
  return ops
}

/** Collects the metrics at most once per pause. Scrapes that arrive in the meantime share the next figures. */
function sharedFigures(metrics: Registry): () => Promise<string> {
  let endedAt = -Infinity
  let next: Promise<string> | undefined
  const collect = async () => {
    try {
      await sleep(Math.max(0, endedAt + COLLECT_EVERY_MS - performance.now()))
      return await metrics.metrics()
    } finally {
      endedAt = performance.now()
      next = undefined
    }
  }
  return () => (next ??= collect())
}

/** A page of another origin cannot read the answers, but its calls would still make the server work. */
function refuseOtherPages(ops: Pick<ZodApp, 'addHook'>): void {
  ops.addHook('onRequest', ({ headers }, _reply, done) => {
    const site = headers['sec-fetch-site'] ?? 'none'
    if (headers.origin === undefined && (site === 'none' || site === 'same-origin')) return done()
    done(new AppError(403, 'This port does not answer calls from other pages. Enter the address in a new tab.'))
  })
}
