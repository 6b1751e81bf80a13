import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'
import { answerError } from '#src/http/error-handler.ts'
import { addSecurityHeaders } from '#src/http/headers.ts'
import { checkHost, isLocalHost } from '#src/http/host.ts'
import { metricsOf } from './metrics.ts'
import { openApiDocument } from '#src/openapi/openapi.ts'
import { close, type Life, listen } from './serve.ts'
import { cutSlowClients } from '#src/http/slow-clients.ts'
import type { ZodApp } from '#src/http/zod-app.ts'

/** Swagger UI sets style attributes, so its page has a policy of its own. Scripts come from this origin only. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Where operators reach a server. `variable` is the setting to name when the port is taken. */
export type OpsPlace = { host: string; port: number; variable: 'OPS_PORT' | 'AI_OPS_PORT' }

/** Serves the operators' side of `app` until the process ends. Returns its address. Throws a StartError when the port cannot be had. */
export async function serveOps(life: Life, app: ZodApp, place: OpsPlace, serverUrl: string): Promise<string> {
  const isLoopback = /^(127\.|::1$|localhost$)/.test(place.host)
  const ops = await createOpsApp(app, { isLoopback, serverUrl })
  life.onStop(() => close(ops))
  return await listen(ops, { ...place, hostVariable: 'OPS_HOST' })
}

/** `serverUrl` is the origin of the API, for the document. */
export type OpsOptions = { isLoopback: boolean; serverUrl: string }

/**
 * Builds the operators' side of `app`, which needs no token: `/metrics` for Prometheus, `/openapi.json`, and `/docs`, a
 * page with the document. On a loopback address only requests for names of this machine are answered.
 */
export async function createOpsApp(app: ZodApp, { isLoopback, serverUrl }: OpsOptions): Promise<FastifyInstance> {
  await app.ready()
  const ops = Fastify({ requestTimeout: 15_000, http: { headersTimeout: 10_000, requireHostHeader: false } })
  cutSlowClients(ops, { busyPaths: new Set() })
  addSecurityHeaders(ops, new Set())
  checkHost(ops, (host) => !isLoopback || isLocalHost(host))
  ops.setErrorHandler(answerError)
  ops.setNotFoundHandler((_request, reply) => reply.code(404).send({ detail: 'Not found' }))
  const metrics = metricsOf(app)
  ops.get('/metrics', async (_request, reply) => await reply.type(metrics.contentType).send(await metrics.metrics()))
  let document: object = {}
  ops.addHook('onRequest', async ({ url }) => {
    if (/^\/(docs|openapi)/.test(url)) document = await openApiDocument(app, serverUrl)
  })
  ops.get('/openapi.json', async () => document)
  await ops.register(swagger)
  await ops.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    transformStaticCSP: () => DOCS_POLICY,
    // The page shows the document of `app`, not its own.
    transformSpecification: () => document,
    // The API listens on another origin, and the policy keeps this page from calling the API.
    uiConfig: { supportedSubmitMethods: [] },
  })
  return ops
}
