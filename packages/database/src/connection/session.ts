import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { PoolClient } from 'pg'
import { statementName } from './prepared.ts'
import { queryWithin } from './query-timeout.ts'

/** A connection for Kysely, and its client, for COPY. */
export type Session = PostgresPoolClient & { client: PoolClient }

/** SQLSTATE disk_full. */
const DISK_FULL = '53100'

/** With read_only_sql_transaction: another connection may lead to a writable server. */
const CANNOT_WRITE = new Set(['25006', DISK_FULL])

export type SessionOptions = {
  /** Time limit of a query in milliseconds; a late query loses its connection. */
  queryTimeoutMs: number | undefined
  /**
   * The first statement of each transaction behind a transaction pooler, where no setting outlives a transaction.
   * Undefined on a connection to PostgreSQL itself.
   */
  settingsOfTransaction: string | undefined
  /** Called for each statement that PostgreSQL refuses because its disk is full. */
  onDiskFull: () => void
}

/**
 * A connection of the pool for Kysely. Behind a transaction pooler every statement runs in a transaction that starts
 * with the session's settings, so the time limits hold on every server process.
 */
export function sessionOf(
  client: PoolClient,
  { queryTimeoutMs, settingsOfTransaction, onDiskFull }: SessionOptions,
): Session {
  let isBroken = false
  let isInTransaction = false

  const send = (text: string, values: readonly unknown[] = []) =>
    isTraced() ? inSpan(text, () => sendNow(text, values)) : sendNow(text, values)
  const sendNow = async (text: string, values: readonly unknown[]) => {
    const name = settingsOfTransaction === undefined ? statementName(text) : undefined
    try {
      return await queryWithin(
        client,
        { text, values: [...values], ...(name === undefined ? {} : { name }) },
        queryTimeoutMs,
      )
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (CANNOT_WRITE.has(code)) isBroken = true
      if (code === DISK_FULL) onDiskFull()
      throw error
    }
  }
  // A transaction that names no isolation would get the default of the server process behind the pooler.
  const begin = (text: string) =>
    send(`${text === 'begin' ? 'begin isolation level read committed' : text}; ${settingsOfTransaction}`)
  const runAlone = async (text: string, values: readonly unknown[]) => {
    await begin('begin')
    try {
      const result = await send(text, values)
      await send('commit')
      return result
    } catch (error) {
      await send('rollback').catch(() => (isBroken = true))
      throw error
    }
  }

  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('Cursors are not supported.')
    if (settingsOfTransaction === undefined) return send(text, values)
    if (/^(begin|start transaction)\b/.test(text)) {
      isInTransaction = true
      return begin(text)
    }
    if (!isInTransaction) return runAlone(text, values)
    if (text === 'commit' || text === 'rollback') isInTransaction = false
    return send(text, values)
  }

  return {
    client,
    query,
    release: (isToBeDestroyed = false) => {
      isInTransaction = false
      client.release(isBroken || isToBeDestroyed)
    },
  }
}

/** Longest statement in a span. */
const TEXT_MAX = 1_000

/** Whether the cause of a statement is traced. */
function isTraced(): boolean {
  return trace.getActiveSpan()?.isRecording() === true
}

/** Records a span of a statement, without its values, below the span of its cause. */
async function inSpan<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  const [name = 'query'] = /^\w+/.exec(text.trimStart()) ?? []
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, TEXT_MAX) }
  const span = trace.getTracer('switchboard').startSpan(name, { kind: SpanKind.CLIENT, attributes })
  try {
    return await work()
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
