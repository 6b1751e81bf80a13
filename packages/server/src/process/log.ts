import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino, type DestinationStream, type Logger } from 'pino'
import type { Settings } from '#src/settings/env.ts'
import { VERSION } from '#src/settings/version.ts'

export type Log = Logger

/** Name of a server in its log lines. `switchboard` is the process with all servers. */
type ServerName = 'admin-api' | 'ai-api' | 'worker' | 'switchboard'

/** Bytes of log lines waiting for a stalled reader, such as a full pipe. Further lines are dropped and counted. */
const WAITING_MAX = 1_048_576

/** How long the last lines may take to be written when the process ends, in milliseconds. */
const LAST_LINES_MS = 1_000

/**
 * Opens standard output for log lines until the process ends, and returns a function for the log of each server. Lines
 * are written asynchronously: a stalled reader delays neither requests nor the end of the process. Logs the warnings of
 * the settings.
 */
export function openLog(
  lifecycle: { onStop: (stop: () => Promise<unknown>) => void },
  { logLevel: level, warnings }: Pick<Settings, 'logLevel' | 'warnings'>,
): (server: ServerName) => Log {
  const destination = pino.destination({ sync: false, maxLength: WAITING_MAX })
  let isClosed = false
  const lines = { write: (line: string) => void (isClosed || destination.write(line)) }
  const log = createLogger(level, lines)
  let dropped = 0
  destination.on('drop', () => {
    dropped += 1
    droppedLines += 1
  })
  destination.on('drain', () => {
    if (dropped === 0) return
    const count = dropped
    dropped = 0
    log.warn({ dropped: count }, 'log lines were dropped because their reader stalled')
  })
  lifecycle.onStop(async () => {
    isClosed = true
    const closed = once(destination, 'close')
    destination.end()
    await Promise.race([closed, sleep(LAST_LINES_MS)])
    destination.destroy()
  })
  for (const sentence of warnings) log.warn(sentence)
  return (server) => createLogger(level, lines, server)
}

/**
 * Prints lines for the person who started the process, regardless of LOG_LEVEL. On a terminal they are printed as they
 * are, otherwise as lines of the log, so that standard output has one format.
 */
export function announce(log: Log, lines: readonly string[]): void {
  if (process.stdout.isTTY) return console.log(lines.join('\n'))
  const loud = log.child({}, { level: 'info' })
  for (const line of lines) loud.info(line)
}

let droppedLines = 0

/** Number of log lines of this process that were dropped because their reader stalled. */
export function countDroppedLines(): number {
  return droppedLines
}

/**
 * Creates a logger that writes JSON lines with the server's name and version. Callers log single fields, never whole
 * headers or bodies; `redact` removes secrets as a second safeguard.
 */
export function createLogger(level: string, destination?: DestinationStream, server: ServerName = 'switchboard'): Log {
  const options = {
    level,
    base: { server, version: VERSION },
    timestamp: () => `,"time":"${new Date(Date.now()).toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => plainError(error) },
    redact: ['*.password', '*.access_token', '*.authorization', '*.api_key'],
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** Logged fields of an error. node-postgres attaches the whole connection; pg-boss names the queue and worker. */
const ERROR_FIELDS = ['name', 'message', 'stack', 'code', 'queue', 'worker']

/** The text fields of an error, or of the plain object of an error from pg-boss. */
function plainError(error: unknown): object {
  if (typeof error !== 'object' || error === null) return { message: String(error) }
  const texts = ERROR_FIELDS.flatMap((field): [string, string][] => {
    const value: unknown = Reflect.get(error, field)
    return typeof value === 'string' ? [[field, value]] : []
  })
  return Object.fromEntries(texts)
}
