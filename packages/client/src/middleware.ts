import { type KeyChecks, keyAndOrigin, refusalOf, refusalResponse, type VerifiedKey } from './key-checks.ts'

// Each middleware answers refused requests itself. Register it after the one for CORS, because a preflight has no key and
// a page can read a refusal only with CORS headers.

type NodeRequest = { headers: Record<string, string | string[] | undefined> }
type ExpressResponse = { writeHead(status: number, headers: Record<string, string>): { end(body: string): unknown } }
type FastifyReply = {
  code(status: number): FastifyReply
  headers(headers: Record<string, string>): FastifyReply
  send(body: string): FastifyReply
}
type HonoContext = { req: { raw: Request } }

const keys = new WeakMap<object, VerifiedKey>()

/** The accepted key of a request that passed the middleware: the request of Express or Fastify, the context of Hono. */
export function keyOf(request: object): VerifiedKey {
  const key = keys.get(request)
  if (key === undefined) throw new Error('The request did not pass the check of API keys.')
  return key
}

/** For `app.use` of Express, and of other servers with the requests of Node. */
export function expressApiKey({ verifyKey }: KeyChecks) {
  return async (request: NodeRequest, response: ExpressResponse, next: () => unknown): Promise<void> => {
    const verdict = await verifyKey(...keyAndOrigin((name) => headerOf(request, name)))
    if (!verdict.allowed) {
      const { status, headers, body } = refusalOf(verdict)
      response.writeHead(status, headers).end(body)
      return
    }
    keys.set(request, verdict.key)
    next()
  }
}

/** For `app.addHook('onRequest', …)` of Fastify. */
export function fastifyApiKey({ verifyKey }: KeyChecks) {
  return async (request: NodeRequest, reply: FastifyReply): Promise<unknown> => {
    const verdict = await verifyKey(...keyAndOrigin((name) => headerOf(request, name)))
    if (verdict.allowed) return void keys.set(request, verdict.key)
    const { status, headers, body } = refusalOf(verdict)
    return reply.code(status).headers(headers).send(body)
  }
}

/** For `app.use` of Hono. */
export function honoApiKey({ verifyRequest }: KeyChecks) {
  return async (context: HonoContext, next: () => Promise<void>): Promise<Response | undefined> => {
    const verdict = await verifyRequest(context.req.raw)
    if (!verdict.allowed) return refusalResponse(verdict)
    keys.set(context, verdict.key)
    await next()
    return undefined
  }
}

/** Node joins repeated headers of these names into one text. */
function headerOf({ headers }: NodeRequest, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}
