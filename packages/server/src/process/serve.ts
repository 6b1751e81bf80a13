import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, unprivilegedAccount } from '@switchboard/embedded-postgres/account'
import { pause } from '@switchboard/database/pause'
import { failureOf } from '@switchboard/database/connection/failures'
import { reasonOf } from '@switchboard/database/start/reason'
import { StartError } from '@switchboard/database/start/start-error'
import { type Patience, untilStarted } from '@switchboard/database/start/until-started'
import type { FastifyInstance } from 'fastify'
import { dropRoot, unreadableCheckout } from './drop-root.ts'
import { createLogger } from './log.ts'

/** Time limit during a stop for running requests and for an unfinished start, in milliseconds. */
const FINISH_MS = 10_000

/** How long a start waits for a taken port, in milliseconds: a server that is being replaced stops in this time. */
const PORT_MS = 20_000

/** How often idle connections are closed during a stop, in milliseconds. */
const SWEEP_MS = 100

/** Time limit for all steps of the stop after the drain together, in milliseconds. */
const STOP_MS = 20_000

/** One Ctrl-C arrives twice, from the terminal and from npm. A second press after this time ends the process immediately. */
const ONE_PRESS_MS = 1_000

/** Callbacks for a starting server. */
export type Lifecycle = {
  /** Adds a drain: SIGTERM calls `begin`, and the stop waits for the longest `seconds` of all. */
  onDrain(drain: Drain): void
  /** Adds a stop function. The functions run in reverse order. */
  onStop(stop: () => Promise<unknown>): void
  /** Stops everything because of a failure, exit code 1. */
  fail(error: unknown): void
  /** Sets the account of a process started as root after its start, instead of the usual account. */
  runAs(account: Account | undefined): void
  /** Aborted when the process stops, so that a waiting start ends immediately. */
  signal: AbortSignal
}

type Drain = { seconds: number; begin: () => void }

/**
 * The lifecycle of a server process: runs `start`, then waits for SIGINT or SIGTERM, stops everything in reverse order
 * and exits with 0. SIGTERM drains first; SIGINT (Ctrl-C) does not. A second signal ends the drain, a third signal the
 * process. A StartError and a failure of the database are printed as one line, any other error in full; all stop
 * everything started and exit with 1.
 */
export function serve(start: (lifecycle: Lifecycle) => Promise<void>): void {
  const stops: (() => Promise<unknown>)[] = []
  const drains: Drain[] = []
  const endOfDrain = new AbortController()
  const stopping = new AbortController()
  let state: 'starting' | 'serving' | 'draining' | 'stopping' = 'starting'
  let lastSignalAt = -Infinity
  let exitCode = 0

  const stop = async (): Promise<void> => {
    if (state === 'stopping') return
    state = 'stopping'
    stopping.abort()
    setTimeout(() => {
      console.error(`Stopping took longer than ${STOP_MS / 1_000} s. The process ends without waiting.`)
      process.exit(1)
    }, STOP_MS).unref()
    // An unfinished start would start more servers after the stop. Its failure is reported below. A long start, such
    // as a migration, ends with the process: PostgreSQL rolls the transaction back.
    await Promise.race([Promise.allSettled([started]), sleep(FINISH_MS)])
    for (const stopPart of stops.splice(0).toReversed()) await stopPart().catch(report)
    process.exit(exitCode)
  }
  const drain = async (): Promise<void> => {
    state = 'draining'
    for (const { begin } of drains) begin()
    await pause(1_000 * Math.max(0, ...drains.map(({ seconds }) => seconds)), endOfDrain.signal)
    await stop()
  }
  const fail = (error: unknown): void => {
    if (state !== 'stopping') {
      report(error)
      exitCode = 1
    }
    void stop()
  }
  const onSignal = (signal?: NodeJS.Signals): void => {
    const isSamePress = performance.now() - lastSignalAt < ONE_PRESS_MS
    lastSignalAt = performance.now()
    if (state === 'serving' && signal === 'SIGTERM') void drain()
    else if (state === 'starting' || state === 'serving') void stop()
    else if (isSamePress) return
    else if (state === 'draining') endOfDrain.abort()
    else process.exit(1)
  }

  // Not SIGHUP: a handler would undo `nohup`.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, onSignal)
  // The parent process was killed.
  process.on('disconnect', onSignal)
  process.on('uncaughtException', fail)
  // An async function, so that an error before the first `await` is caught too.
  const started = (async () => {
    let account = unprivilegedAccount()
    // Before anything starts: the end of a start is late for a refusal.
    if (account !== undefined) unreadableCheckout(account)
    const { signal } = stopping
    const runAs = (other: Account | undefined) => (account = other)
    const onStop = (stopPart: () => Promise<unknown>) => stops.push(stopPart)
    const onDrain = (drainPart: Drain) => drains.push(drainPart)
    await start({ onStop, onDrain, fail, runAs, signal })
    if (account !== undefined) leaveRoot(account)
    if (state === 'starting') state = 'serving'
  })()
  started.catch(fail)
}

/** Gives up root, except in a checkout that only root can read: a trial in a folder of root has to work. */
function leaveRoot(account: Account): void {
  const unreadable = unreadableCheckout(account)
  if (unreadable === undefined) return dropRoot(account)
  createLogger('warn').warn(
    `The servers run as root, because user ${account.uid} cannot read ${unreadable}. Move the checkout to a folder that all users can enter.`,
  )
}

function report(error: unknown): void {
  if (error instanceof StartError) console.error(error.message)
  // A stack trace would say nothing about the database.
  else console.error(failureOf(error) === null ? error : `The database cannot be used: ${reasonOf(error)}.`)
}

/** Where to listen, and the variables to name when the port or the host is unavailable. */
type ListenOptions = {
  host: string
  port: number
  variable: string
  hostVariable?: 'HOST' | 'OPS_HOST'
  /** Sockets of the supervisor by variable. One for this variable replaces host and port. */
  sockets?: ReadonlyMap<string, number>
}

/**
 * Starts to listen and returns the address to print. Waits while the port is taken, because a server that is stopping
 * may still have it. Throws a StartError if the port does not become available.
 */
export async function listen(app: FastifyInstance, options: ListenOptions, patience: Patience): Promise<string> {
  const { host, port, variable, sockets } = options
  const fd = sockets?.get(variable)
  // Fastify passes all options to Node, where a descriptor comes first.
  const given = { host, port, ...(fd !== undefined && { fd }) }
  const listenNow = () =>
    app.listen(given).catch((error: unknown) => {
      throw listenError(error, options)
    })
  await untilStarted(`port ${port} of ${variable}`, listenNow, { ...patience, ms: Math.min(patience.ms, PORT_MS) })
  const address = app.server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : port
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${taken}`
}

function listenError(error: unknown, { host, port, variable, hostVariable = 'HOST' }: ListenOptions): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} on ${host} is taken. Set ${variable} to another one.`, { cause: error })
  if (code === 'EACCES')
    return new StartError(`This user may not listen on port ${port}. Set ${variable} to 1024 or higher.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`${hostVariable} ${host} is not an address of this machine.`)
  return error
}

/** Stops listening, lets running requests finish for ten seconds, then aborts them. */
export async function close(app: Pick<FastifyInstance, 'server' | 'close'>): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), FINISH_MS)
  // Node closes idle connections here. Connections idle from now on would stay open.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
  await app.close()
  clearTimeout(timer)
  clearInterval(sweep)
}
