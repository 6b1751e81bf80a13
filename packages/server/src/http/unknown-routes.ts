import type { ErrorBody } from '@switchboard/contract/wire/errors'
import type { FastifyReply, RouteOptions } from 'fastify'
import type { ZodApp } from './zod-app.ts'

/** The answer to an unknown address. */
export const NOT_FOUND: ErrorBody = { detail: 'Not found', code: 'not_found' }

declare module 'fastify' {
  interface FastifyInstance {
    /** All registered routes, for answers to unknown routes and for tests of every route. */
    routeTable: readonly RouteOptions[]
  }
}

/**
 * Answers requests without a route: 405 with `Allow` where the path exists under another method (RFC 9110, 15.5.6),
 * otherwise 404 with a constant body. A path of the console's pages exists for GET and HEAD.
 */
export function answerUnknownRoutes(app: ZodApp): void {
  const routeTable: RouteOptions[] = []
  app.decorate('routeTable', routeTable)
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    routeTable.push(route)
    const methods = methodsByUrl.getOrInsertComputed(route.url, () => new Set())
    for (const method of [route.method].flat()) methods.add(method)
  })

  const methodsOf = (path: string): string[] => {
    const exact = methodsByUrl.get(path)
    if (exact !== undefined) return [...exact].toSorted()
    const matching = [...methodsByUrl].filter(([url]) => matches(url, path))
    return [...new Set(matching.flatMap(([, methods]) => [...methods]))].toSorted()
  }

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    const methods = methodsOf(path)
    // RFC 9110, 9.3.7: "*" asks about the server as a whole.
    if (path === '*') return notAllowed(reply, ['GET', 'HEAD'])
    // A file may have been deleted since the start.
    if (methods.length === 0 || methods.includes(request.method)) return reply.code(404).send(NOT_FOUND)
    return notAllowed(reply, methods)
  })

  // "PUT /tenants/ids" would match "PUT /tenants/:id", though "/tenants/ids" is a separate path.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const path = pathOf(request.url)
    const isKnown = methodsByUrl.get(path)?.has(request.method) ?? true
    if (isKnown || !request.routeOptions.url?.includes('/:')) return done()
    void notAllowed(reply, methodsOf(path))
  })
}

function notAllowed(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  return reply
    .code(405)
    .header('allow', methods.join(', '))
    .send({ detail: 'Method not allowed', code: 'method_not_allowed' } satisfies ErrorBody)
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

function matches(pattern: string, path: string): boolean {
  // The console's pages: neither calls nor files.
  if (pattern === '/*') return !/^\/(api|assets)\//.test(path)
  if (pattern.endsWith('/*')) return path.startsWith(pattern.slice(0, -1))
  const expected = pattern.split('/')
  const actual = path.split('/')
  return expected.length === actual.length && expected.every((step, at) => step.startsWith(':') || step === actual[at])
}
