import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

/** Two years, as browsers' preload lists ask. */
const HSTS_SECONDS = 63_072_000

/** The browser policy of every page of ours (design §3). Nothing inline, nothing from elsewhere, no script from text. */
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
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ["'none'"],
}

/** Puts the security headers on every answer, whatever its status. Answers of the APIs are never stored. */
export function addSecurityHeaders(app: Pick<FastifyInstance, 'addHook'>, busyPaths: ReadonlySet<string>): void {
  // Made once: they are the same for every answer.
  const secure = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: POLICY },
    strictTransportSecurity: { maxAge: HSTS_SECONDS, includeSubDomains: true },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: { policy: 'require-corp' },
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (busyPaths.has(request.raw.url ?? '')) {
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
