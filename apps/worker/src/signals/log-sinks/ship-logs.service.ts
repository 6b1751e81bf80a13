import type { LogSinkKind } from '@switchboard/contract/signals/log-sinks'
import { pause } from '@switchboard/database/pause'
import { StartError } from '@switchboard/database/start/start-error'
import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/process/log'
import { loggingFailures } from '@switchboard/server/process/repeated-failures'
import type { Kysely } from 'kysely'
import { receiverDelayMs } from '#src/signals/receiver-delay.ts'
import * as queries from './log-sinks.queries.ts'
import { sendNext, sendTest, type SendingDeps } from './send-batch.service.ts'
import { ShippingError } from './shipping-error.ts'

/** Interval of the search for sinks with something to send, in milliseconds. */
const EVERY_MS = 1_000
/** Delay of the first retry in milliseconds, and the number of the attempt after which the delays no longer grow. */
const FIRST_RETRY_MS = 1_000
const GROWING_ATTEMPTS = 5

export type ShippingDeps = SendingDeps & {
  db: Kysely<Database>
  /** A pool with a connection for each sink, because a slow sink keeps one while it sends. */
  sinkDb: Kysely<Database>
  log: Log
  random: () => number
  firstRetryMs?: number
}

/**
 * Ships the audit log to all sinks until stopped, each at its pace. Any number of workers may ship: one of them at a time sends
 * to a sink. The position of a sink moves after it has confirmed a batch, so a killed worker repeats at most one batch.
 */
export function shipLogs(deps: ShippingDeps): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const kinds: LogSinkKind[] = ['otlp', 'syslog', ...(deps.auditFiles === undefined ? [] : (['file'] as const))]
  const busy = new Map<string, Promise<void>>()

  const start = (id: string): void => {
    const work = loggingFailures(deps.log, 'shipping the audit log', () => ship(deps, id, signal))
    busy.set(
      id,
      work().finally(() => busy.delete(id)),
    )
  }
  const search = loggingFailures(deps.log, 'looking for log sinks with something to send', async () => {
    for (const id of await queries.dueSinks(deps.db, kinds)) if (!busy.has(id)) start(id)
  })
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await search()
      await pause(EVERY_MS, signal)
    }
    await Promise.all(busy.values())
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Sends everything that is due for a sink, batch by batch. */
async function ship(deps: ShippingDeps, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await shipBatch(deps, id))) continue
}

/**
 * Sends a test record or the next batch to a sink, in one transaction. Returns whether more may be due: not after a failure, and
 * not when another worker sends to this sink.
 */
export async function shipBatch(deps: ShippingDeps, id: string): Promise<boolean> {
  const { sinkDb, log, random, firstRetryMs = FIRST_RETRY_MS } = deps
  return await sinkDb.transaction().execute(async (trx) => {
    const sink = await queries.takeSink(trx, id)
    if (sink === undefined) return false
    if (sink.is_test_due && sink.test_requested_at !== null) {
      const { problem } = await outcomeOf(() => sendTest(deps, sink))
      await queries.recordTest(trx, id, { requestedAt: sink.test_requested_at, problem })
      return sink.is_sending_due
    }
    if (!sink.is_sending_due) return false
    const outcome = await outcomeOf(() => sendNext(deps, sink, trx))
    if (outcome.problem === null) {
      await queries.moveSink(trx, id, outcome.done)
      return true
    }
    const { problem, retryAfter } = outcome
    if (sink.attempts === 0) log.warn({ sink: sink.name, problem }, 'a log sink fails')
    const attempt = Math.min(sink.attempts + 1, GROWING_ATTEMPTS)
    const delayMs = receiverDelayMs({ firstRetryMs, random }, { attempt, retryAfter, now: new Date(sink.now) })
    await queries.delaySink(trx, id, { problem, delayMs })
    return false
  })
}

/** What the work returns, or why it failed, as a sentence, and when to try again. Throws errors of the program. */
async function outcomeOf<Done>(
  work: () => Promise<Done>,
): Promise<{ problem: null; done: Done } | { problem: string; retryAfter?: string | undefined }> {
  try {
    return { problem: null, done: await work() }
  } catch (error) {
    if (error instanceof ShippingError) return { problem: error.message, retryAfter: error.retryAfter }
    if (error instanceof StartError) return { problem: error.message }
    throw error
  }
}
