import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, unprivilegedAccount } from '@switchboard/database/embedded/account'
import { pause } from '@switchboard/database/pause'
import { StartError } from '@switchboard/database/start-error'
import type { FastifyInstance } from 'fastify'
import { dropRoot } from './drop-root.ts'

/** How long requests that run, or a start under way, may go on after a stop, in milliseconds. */
const FINISH_MS = 10_000

/** How often connections that have become idle are closed during a stop, in milliseconds. */
const SWEEP_MS = 100

/** How long everything that is stopped after the drain may take together, in milliseconds. */
const STOP_MS = 20_000

/** The same Ctrl-C reaches a process twice, from the terminal and from npm; only a later one means "at once". */
const ONE_PRESS_MS = 1_000

/** What a starting server says as it goes. */
export type Life = {
  /** Adds what begins to drain: on SIGTERM `begin` is called, and the stop waits for the longest `seconds` of all. */
  onDrain(drain: Drain): void
  /** Adds how to stop what was just started. Last started, first stopped. */
  onStop(stop: () => Promise<unknown>): void
  /** Stops everything because of a failure, exit code 1. */
  fail(error: unknown): void
  /** Names the account that a process started as root goes on as once it has started, instead of the usual one. */
  runAs(account: Account | undefined): void
  /** Aborted when the process is told to stop, so that a start that waits for something ends at once. */
  signal: AbortSignal
}

type Drain = { seconds: number; begin: () => void }

/**
 * The life of a server process: runs `start`, then waits for SIGINT or SIGTERM, stops everything in reverse order and
 * exits with 0. SIGTERM drains first; SIGINT (Ctrl-C) does not. A second signal ends the drain, a third one the process.
 * A StartError is printed as its one line, anything else in full; both stop what was started and exit with 1.
 */
export function serve(start: (life: Life) => Promise<void>): void {
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
    // A start that is still under way would go on starting what has just been stopped. Its failure is reported below. One
    // that takes long, such as a migration, ends with the process: PostgreSQL rolls it back.
    await Promise.race([Promise.allSettled([started]), sleep(FINISH_MS)])
    for (const each of stops.splice(0).toReversed()) await each().catch(report)
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
  // Started by another Node, which was killed.
  process.on('disconnect', onSignal)
  process.on('uncaughtException', fail)
  // Also what throws before its first `await` is a start that failed.
  const started = (async () => {
    let account = unprivilegedAccount()
    const { signal } = stopping
    const runAs = (other: Account | undefined) => (account = other)
    await start({ onStop: (each) => stops.push(each), onDrain: (each) => drains.push(each), fail, runAs, signal })
    const unreadable = account === undefined ? undefined : dropRoot(account)
    if (unreadable !== undefined)
      console.log(`The servers run as root, because user ${account?.uid} cannot read ${unreadable}.`)
    if (state === 'starting') state = 'serving'
  })()
  started.catch(fail)
}

function report(error: unknown): void {
  console.error(error instanceof StartError ? error.message : error)
}

/** Where to listen, and the variables to name when that port or that host cannot be had. */
export type Place = { host: string; port: number; variable: string; hostVariable?: 'HOST' | 'OPS_HOST' }

/** Starts to listen and returns the address for people. Throws a StartError when the port cannot be had. */
export async function listen(app: FastifyInstance, place: Place): Promise<string> {
  const { host, port } = place
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw listenError(error, place)
  }
  const address = app.server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : port
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${taken}`
}

function listenError(error: unknown, { host, port, variable, hostVariable = 'HOST' }: Place): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return new StartError(`Port ${port} on ${host} is taken. Set ${variable} to another one.`)
  if (code === 'EACCES')
    return new StartError(`Port ${port} is not for this user. Set ${variable} to one from 1024 on.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`${hostVariable} ${host} is no address of this machine.`)
  return error
}

/** Stops listening, lets running requests finish for ten seconds, then cuts them. */
export async function close(app: Pick<FastifyInstance, 'server' | 'close'>): Promise<void> {
  const late = setTimeout(() => app.server.closeAllConnections(), FINISH_MS)
  // Node closes the connections that are idle now. Those that become idle later would stay open.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
  await app.close()
  clearTimeout(late)
  clearInterval(sweep)
}
