import { healthz, readyz } from '@switchboard/contract/wire/health'
import type { EndpointConfig } from '@switchboard/contract/wire/endpoint'
import type { Database } from '@switchboard/database/tables'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import { config } from 'zod/v4/core'
import { en } from 'zod/locales'
import { type BusyPaths, busyPathsOf } from './busy-paths.ts'
import { runCallsInTurn } from './calls-in-turn.ts'
import { compressAnswers } from './compress.ts'
import { closeConnectionsWhileDraining } from '#src/process/drain.ts'
import { answerError } from './error-handler.ts'
import { addSecurityHeaders } from './headers.ts'
import { addHealthRoutes } from '#src/process/health.routes.ts'
import { isDecodable, isTooLong, refuseUnstorableText } from './input.ts'
import type { Log } from '#src/process/log.ts'
import { checkHost, isHostOf } from './host.ts'
import { addMetrics, countInMetrics, type Pools } from '#src/process/metrics.ts'
import { type EndListener, onEnd } from './on-end.ts'
import { answerExpectHeader, answerClientError } from './client-errors.ts'
import { disconnectSlowClients } from './slow-clients.ts'
import { readForwardedFor, requestIds } from './trusted-proxy.ts'
import { traceRequests } from './trace-requests.ts'
import { answerUnknownRoutes } from './unknown-routes.ts'
import { addOpenApi } from './openapi.ts'
import { serializerCompiler } from './serializer.ts'
import type { ZodApp } from './zod-app.ts'

// The contract uses zod/mini, which is small for the console and has no built-in messages.
config(en())

/** Maximum size of a request body, in bytes. */
const BODY_MAX = 262_144

/**
 * Maximum size of all headers of a request, in bytes. Browsers may send 64 kB of cookies that other sites of the domain
 * have set.
 */
const HEADERS_MAX = 81_920

const PROBES: ReadonlySet<string> = new Set([healthz.url, readyz.url])

type AppOptions = {
  /** Title of the OpenAPI document. */
  title: string
  /** Description of the OpenAPI document, in Markdown. */
  description?: string
  db: Kysely<Database>
  /** Further pools of the server, for the metrics. */
  otherPools?: Pools
  log: Log
  /** Proxies whose `X-Forwarded-*` headers are trusted: `false`, or addresses and networks. */
  trustProxy: false | string[]
  busyPaths?: BusyPaths
  /**
   * A path that ends with `*`. Requests below this path go to this route, with any characters in the rest of the path.
   */
  wildcardPath?: `${string}/*` | undefined
  /** Public origin of this server; requests for another host are refused. Undefined: any host. */
  publicUrl?: string | undefined
  /** Whether the server has been set up; `/readyz` answers 503 until then. By default no setup is needed. */
  isSetUp?: () => Promise<boolean>
  /** Time limit for a client to receive an answer, in milliseconds; streamed lists have no such limit. */
  answerMs?: number
}

/**
 * The common base of both servers: limits, security headers, error handler, input checks, one log line per request, and
 * health. Collects the metrics and the OpenAPI document for `ops.ts`. The caller adds the routes.
 */
export async function createApp(options: AppOptions): Promise<ZodApp> {
  const {
    title,
    description = '',
    db,
    log,
    trustProxy,
    busyPaths = busyPathsOf([]),
    wildcardPath,
    publicUrl,
    answerMs,
  } = options
  const loggerInstance: FastifyBaseLogger = log
  const app: ZodApp = Fastify({
    loggerInstance,
    // `logRequest` writes one line per request.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'req_id' }),
    genReqId: requestIds(trustProxy),
    childLoggerFactory: (logger, bindings, childOptions, request) =>
      busyPaths.routeOf(request.url) !== undefined ? logger : logger.child(bindings, childOptions),
    bodyLimit: BODY_MAX,
    // Time limits for a slow client: first for the headers, then for the whole request.
    requestTimeout: 15_000,
    // The plugins are part of the start, which has no such limit.
    pluginTimeout: 0,
    http: {
      maxHeaderSize: HEADERS_MAX,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    keepAliveTimeout: 72_000,
    trustProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1_024 },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    rewriteUrl: ({ url = '/' }) => routedUrl(url, wildcardPath),
  }).withTypeProvider<ZodTypeProvider>()

  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  runCallsInTurn(app)
  // Before all other hooks, so that they belong to the span of the request.
  const endSpans = traceRequests(app, busyPaths)
  const unusableAddresses = readForwardedFor(app, { trustProxy, log })
  disconnectSlowClients(app, { busyPaths, answerMs })
  addSecurityHeaders(app, busyPaths)
  await compressAnswers(app, busyPaths)
  answerExpectHeader(app)
  closeConnectionsWhileDraining(app)
  // A load balancer sends probes to the address, not to the public host.
  checkHost(
    app,
    (host, { routeOptions }) =>
      publicUrl === undefined || isHostOf(publicUrl, host) || PROBES.has(routeOptions.url ?? ''),
  )
  refuseUnstorableText(app)
  answerUnknownRoutes(app)
  const measure = addMetrics(app, { main: db, ...options.otherPools })
  onEnd(app, busyPaths, [logRequest(busyPaths), measure, ...endSpans])
  countInMetrics(app.metrics, {
    name: 'http_forwarded_addresses_unusable_total',
    help: 'Requests from a proxy in TRUST_PROXY without a usable address in X-Forwarded-For',
    labelNames: [],
    totals: () => [{ labels: {}, count: unusableAddresses() }],
  })
  await addOpenApi(app, { title, description })
  const { isSetUp = async () => true } = options
  addHealthRoutes(app, { db, isSetUp, isDraining: () => app.isDraining, log })
  return app
}

/** The URL for the router. */
function routedUrl(url: string, wildcardPath: string | undefined): string {
  if (wildcardPath !== undefined && url.startsWith(wildcardPath.slice(0, -1))) return wildcardPath
  // The query is parsed before any hook.
  if (isTooLong(url)) return url.split('?', 1)[0] ?? '/'
  // The router would answer an address with an invalid escape before any hook could add headers. Such an address
  // becomes an unknown address: JSON for an API call, the console's page for all others.
  if (!url.includes('%') || isDecodable(url.split('?', 1)[0])) return url
  return url.startsWith('/api/') ? '/api/undecodable' : '/undecodable'
}

/** One line per request, with the route's pattern and ids. URL, headers and body may contain secrets and are not logged. */
function logRequest(busyPaths: BusyPaths): EndListener {
  return (request, route, status, ms) => {
    const isBusy = busyPaths.routeOf(request.raw.url) !== undefined
    if (isBusy && status < 400) return
    // Successful probes, one per second, are only debug output.
    const level = PROBES.has(route) && status < 400 ? 'debug' : 'info'
    request.log[level](
      {
        ...(isBusy && { req_id: request.id }),
        method: request.method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        address: request.ip,
        admin_id: request.userId,
        caused_by: request.causedBy,
        trace_id: request.traceId,
      },
      'request',
    )
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the signed-in admin, for the log; set by admin-api. */
    userId?: string
    /** Id of the request to the other server that caused this one, for the log. */
    causedBy?: string | undefined
  }
  interface FastifyContextConfig extends EndpointConfig {}
}
