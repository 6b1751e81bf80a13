import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, badRequest } from './errors.ts'

/**
 * Refuses a missing, repeated or malformed `Host` header with 400 (RFC 9112, 3.2), and with 421 a host denied by
 * `isServed`. `isServed` gets the host with its port, behind a trusted proxy from `X-Forwarded-Host`.
 */
export function checkHost(
  app: Pick<FastifyInstance, 'addHook'>,
  isServed: (host: string, request: FastifyRequest) => boolean = () => true,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const problem = hostProblem(request)
    if (problem !== null) return done(badRequest(problem))
    if (!isServed(request.host, request)) return done(new AppError(421, 'This host is not served here.'))
    done()
  })
}

/** Whether `host` is the host of `publicUrl`, an origin. A default port may be named or left out. */
export function isHostOf(publicUrl: string, host: string): boolean {
  const { protocol, host: expected } = new URL(publicUrl)
  return URL.parse(`${protocol}//${host}`)?.host === expected
}

/**
 * Whether `host` names this machine by address or as "localhost". A web page cannot reach a loopback port under such a
 * name by changing its own DNS records (DNS rebinding).
 */
export function isLocalHost(host: string): boolean {
  const hostname = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return hostname === 'localhost' || isIP(hostname) !== 0
}

const WELL_FORMED = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i

function hostProblem({ raw: { httpVersion, headers, rawHeaders } }: FastifyRequest): string | null {
  if (headers.host === undefined) return httpVersion === '1.1' ? 'The Host header is missing.' : null
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  if (count > 1) return 'The Host header is repeated.'
  return WELL_FORMED.test(headers.host) ? null : 'The Host header is not valid.'
}
