import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { BusyPaths } from './busy-paths.ts'

/** Two years, the minimum of the browsers' preload lists. */
const HSTS_SECONDS = 63_072_000

/** The browser policy of every page: no inline code, no other origins, no script from text. */
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'font-src': ["'self'"],
  'form-action': ["'none'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
}
const TRUSTED_TYPES = { 'require-trusted-types-for': ["'script'"], 'trusted-types': ["'none'"] }

/** Adds the security headers to every answer. API answers are never stored. */
export function addSecurityHeaders(app: Pick<FastifyInstance, 'addHook'>, busyPaths: BusyPaths): void {
  // Created once: @fastify/helmet creates the middleware for every request.
  const secure = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { ...POLICY, ...TRUSTED_TYPES } },
    strictTransportSecurity: { maxAge: HSTS_SECONDS, includeSubDomains: true },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: { policy: 'require-corp' },
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (busyPaths.routeOf(request.raw.url) !== undefined) {
      reply.header('cache-control', 'no-store')
      return done()
    }
    reply.headers({
      'cache-control': 'no-store',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
      'x-request-id': request.id,
    })
    secure(request.raw, reply.raw, () => done())
  })
}
