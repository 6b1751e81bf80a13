import type { RouteOptions } from 'fastify'
import type { ZodApp } from './zod-app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route as registered, for answers to unknown ones and for tests that go through all of them. */
    routeTable: readonly RouteOptions[]
  }
}

/**
 * Answers what no route takes: 405 with `Allow` where the path exists under another method (RFC 9110, 15.5.6),
 * otherwise 404 with a constant body. Wildcard routes (the console's pages) do not count as existing paths.
 */
export function answerUnknownRoutes(app: ZodApp): void {
  const routeTable: RouteOptions[] = []
  app.decorate('routeTable', routeTable)
  app.addHook('onRoute', (route) => void routeTable.push(route))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const methods = routeTable.filter(({ url }) => matches(url, path)).flatMap(({ method }) => method)
    // A file that was there at the start and is gone takes this way too.
    if (methods.length === 0 || methods.includes(request.method)) return reply.code(404).send({ detail: 'Not found' })
    return reply
      .code(405)
      .header('allow', [...new Set(methods)].toSorted().join(', '))
      .send({ detail: 'Method not allowed' })
  })
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/')
  const actual = path.split('/')
  return expected.length === actual.length && expected.every((step, at) => step.startsWith(':') || step === actual[at])
}
