import { constants, gzip } from 'node:zlib'
import type { ZodApp } from './zod-app.ts'

/** A shorter answer fits into two packets anyway. */
const WORTH_FROM = 2_048
/** Level 1 leaves a page of a list a fifth of its size, in a quarter of a millisecond on another thread. */
const LEVEL = constants.Z_BEST_SPEED

/**
 * Compresses JSON for whoever says that they accept gzip. Streams go out as they are: whole lists are asked for by programs
 * near by. What is compressed can be guessed at by its length where a browser adds the credentials to what others make it
 * ask (BREACH); here they are in a header that only the console sets.
 */
export function compressAnswers(app: ZodApp): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isWorthIt =
      typeof payload === 'string' && payload.length >= WORTH_FROM && !reply.hasHeader('content-encoding')
    if (!isWorthIt) return done(null, payload)
    reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return done(null, payload)
    gzip(payload, { level: LEVEL }, (error, compressed) => {
      if (error !== null) return done(error)
      reply.header('content-encoding', 'gzip').removeHeader('content-length')
      done(null, compressed)
    })
  })
}
