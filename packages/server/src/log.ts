import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/**
 * JSON lines on standard output. Lines are written by ourselves field by field, so that no header, body, token or
 * password can get in by accident; `redact` is the second fence.
 */
export function createLogger(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date(Date.now()).toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => plainError(error) },
    redact: ['*.password', '*.access_token', '*.authorization', '*.api_key'],
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** An error without what hangs on it: node-postgres attaches the whole connection. */
function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  return { name, message, stack, ...('code' in error ? { code: error.code } : {}) }
}
