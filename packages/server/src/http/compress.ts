import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { BusyPaths } from './busy-paths.ts'
import type { ZodApp } from './zod-app.ts'

/** Minimum size in bytes. A shorter answer fits into two packets. */
const COMPRESS_FROM_BYTES = 2_048

/**
 * Compresses answers and streams with Brotli or gzip, as `Accept-Encoding` prefers. The lowest levels leave a page of a
 * list a fifth of its size in a fraction of a millisecond. An attacker can guess at compressed text by its length only
 * where a browser adds credentials to requests caused by the attacker (BREACH). Only the console sets the header with
 * its token.
 */
export async function compressAnswers(app: ZodApp, busyPaths: BusyPaths): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (busyPaths.routeOf(route.url) !== undefined) route.compress = false
  })
  await app.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: COMPRESS_FROM_BYTES,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    zlibOptions: { level: constants.Z_BEST_SPEED },
  })
}
