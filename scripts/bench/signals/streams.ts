import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { STREAMS_PER_SESSION_MAX, streamEvents } from '@switchboard/contract/signals/stream'
import type { Database } from '@switchboard/database/tables'
import { makeApiKey, makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import type { Kysely } from 'kysely'
import { VERIFY_PATH } from '#scripts/bench/ai-api-server.ts'
import { byRound, type LoadResult, runLoad } from '#scripts/bench/load.ts'
import { amount, type Figure } from '#scripts/bench/measure.ts'
import { rawRequest } from '#scripts/bench/raw-client.ts'
import { freePort } from '#tests/proxies.ts'
import { SHARED_SECRET, startAiApi, startProcess, startWorker } from '#tests/server-process.ts'
import { changeTenant } from './change-tenant.ts'

const STREAMS = 1_000
const ROUNDS = 9
const LOAD_MS = 3_000
const CONNECTIONS = 16
/** Pause between two changes while the key checks are measured. */
const PAUSE_MS = 100
/** Bounds: memory of 1,000 streams, the time until the last of them has a change, and the p99 of key checks beside them. */
const MEMORY_MAX_MB = 100
const DELAY_MAX_MS = 2_000
const P99_MAX = 1.5

/** Open streams. `missing` are those that have had no entry about the record `awaited`. */
type Streams = { sockets: Socket[]; missing: Set<Socket>; awaited: string | null }

/** 1,000 open streams on one admin-api: its memory, the delay of a change, and key checks of ai-api beside it. */
export async function benchStreams(db: Kysely<Database>, databaseUrl: string): Promise<Figure[]> {
  const opsPort = await freePort()
  const settings = { DATABASE_URL: databaseUrl, WEBHOOK_SECRET: SHARED_SECRET, OPS_PORT: `${opsPort}` }
  const adminApi = startProcess(settings, 'apps/admin-api/src/main.ts')
  const aiApi = startAiApi({ databaseUrl })
  const worker = startWorker({ databaseUrl })
  try {
    const [address, aiAddress] = await Promise.all([adminApi.ready(), aiApi.ready(), worker.ready()])
    const tokens = await makeTokens(db)
    const { id: tenant_id } = await makeTenant(db)
    const { api_key } = await makeApiKey(db, { tenant_id })
    const check = () => whileChanging(db, tenant_id, () => checkKeys(aiAddress, api_key))
    await check()
    const results: Record<'alone' | 'beside', LoadResult[]> = { alone: [], beside: [] }
    let [memory, slowest] = [0, 0]
    for (let round = 0; round < ROUNDS; round += 1) {
      results.alone.push(await check())
      const before = await memoryOf(opsPort)
      const streams = await openStreams(address, tokens)
      results.beside.push(await check())
      memory = Math.max(memory, (await memoryOf(opsPort)) - before)
      slowest = Math.max(slowest, await delayOf(db, streams))
      for (const socket of streams.sockets) socket.destroy()
    }
    return [
      amount(`memory of ${STREAMS} live screens on one admin-api`, memory / 1_048_576, 'MB', MEMORY_MAX_MB),
      amount(`a change, until the last of ${STREAMS} live screens has it`, slowest, 'ms', DELAY_MAX_MS),
      byRound(`key checks beside ${STREAMS} live screens / without: p99 in ms`, 'p99', results.beside, results.alone, {
        atMost: P99_MAX,
      }),
    ]
  } finally {
    for (const { child, ended } of [adminApi, aiApi, worker]) {
      child.kill('SIGTERM')
      await ended
    }
  }
}

/** As many tokens as the streams need. */
async function makeTokens(db: Kysely<Database>): Promise<string[]> {
  const { id: created_by_id } = await makeUser(db)
  const expires_at = new Date(Date.now() + 86_400_000)
  const tokens: string[] = []
  for (let n = 0; n < STREAMS / STREAMS_PER_SESSION_MAX; n += 1)
    tokens.push((await makeToken(db, { created_by_id, scopes: ['read'], expires_at })).token)
  return tokens
}

/**
 * Opens the streams. They are read with little overhead, and looked into only while a record is awaited: the readers share the
 * cores with the servers, and are in other machines in reality.
 */
async function openStreams(address: string, tokens: readonly string[]): Promise<Streams> {
  const streams: Streams = { sockets: [], missing: new Set(), awaited: null }
  const port = Number(new URL(address).port)
  const open = async (token: string) => {
    const socket = connectSocket({ port, host: '127.0.0.1', noDelay: true })
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
    socket.write(rawRequest('GET', streamEvents.url, headers))
    const [head]: unknown[] = await once(socket, 'data')
    if (!String(head).startsWith('HTTP/1.1 200')) throw new Error(`A stream was refused: ${String(head)}`)
    socket.on('data', (text: Buffer) => {
      if (streams.awaited !== null && text.includes(streams.awaited)) streams.missing.delete(socket)
    })
    streams.sockets.push(socket)
  }
  // All at once, some would be refused on a busy machine.
  for (const token of tokens) await Promise.all(Array.from({ length: STREAMS_PER_SESSION_MAX }, () => open(token)))
  return streams
}

/** Changes a tenant again and again while `work` runs. */
async function whileChanging<Result>(
  db: Kysely<Database>,
  tenantId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  const change = async () => {
    while (!ending.signal.aborted) {
      await changeTenant(db, tenantId)
      await sleep(PAUSE_MS)
    }
  }
  const [result] = await Promise.all([work().finally(() => ending.abort()), change()])
  return result
}

/** Milliseconds from a change until the last stream has it. */
async function delayOf(db: Kysely<Database>, streams: Streams): Promise<number> {
  const { id } = await makeTenant(db)
  streams.missing = new Set(streams.sockets)
  streams.awaited = id
  await changeTenant(db, id)
  const changed = performance.now()
  while (streams.missing.size > 0) {
    if (performance.now() - changed > 30_000) throw new Error(`${streams.missing.size} live screens miss the change.`)
    await sleep(5)
  }
  return performance.now() - changed
}

async function checkKeys(address: string, api_key: string): Promise<LoadResult> {
  const result = await runLoad({
    port: Number(new URL(address).port),
    path: VERIFY_PATH,
    requests: { all: JSON.stringify({ api_key }) },
    popularity: 'uniform',
    connections: CONNECTIONS,
    durationMs: LOAD_MS,
  })
  if (result.failures > 0) throw new Error(`${result.failures} checks were refused.`)
  return result
}

/** The memory of a process in bytes, by its metrics. */
async function memoryOf(opsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]
  if (bytes === undefined) throw new Error('The metrics have no memory.')
  return Number(bytes)
}
