import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Figure, percentile } from './measure.ts'
import { rawClient, rawRequest } from './raw-client.ts'

// Sends requests as fast as the server answers, from a separate process, so that the client does not slow the server
// down.

/** Warm-up of the first and of every later round, in milliseconds. */
const WARM_UP_MS = 500
const WARM_UP_AGAIN_MS = 100

export type Load = {
  port: number
  path: string
  /** In addition to the headers of a request. */
  headers?: Record<string, string>
  /**
   * The requests, the most popular first: a file with one JSON body to POST per line, one body for all requests, or a file
   * with the query and the headers of one GET per line (`Get` in JSON).
   */
  requests: { file: string } | { all: string } | { gets: string }
  /** Distribution of the requests; `each` sends every request once and ends. */
  popularity: 'zipf' | 'uniform' | 'each'
  connections: number
  durationMs: number
}
export type Get = { query: string; headers: Record<string, string> }
export type LoadResult = { perSecond: number; p50: number; p99: number; failures: number }

/** Runs the load in another process and returns the results; times in milliseconds. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const [result] = await runLoads([load], 1)
  if (result === undefined) throw new Error('The load had no result.')
  return result
}

/**
 * Runs several loads in another process, alternating for `rounds` rounds, so that other load on the machine affects
 * all. Returns the median of the rounds of each load, because a pause of the machine affects a single round.
 */
export async function runLoads(loads: Load[], rounds: number): Promise<LoadResult[]> {
  const child = fork(new URL(import.meta.url), { stdio: 'inherit' })
  child.send({ loads, rounds } satisfies Order)
  const results = await new Promise<LoadResult[]>((resolve, reject) => {
    child.once('message', (message: LoadResult[]) => resolve(message))
    child.once('exit', (code) => reject(new Error(`The load ended with ${code}.`)))
  })
  child.kill()
  return results
}

type Order = { loads: Load[]; rounds: number }

async function generateAll({ loads, rounds }: Order): Promise<LoadResult[]> {
  const all = loads.map((load) => ({ generate: generator(load), results: new Array<LoadResult>() }))
  for (let round = 0; round < rounds; round += 1)
    for (const { generate, results } of all) results.push(await generate())
  return all.map(({ results }) => medianOf(results))
}

/** The median of each figure, and all failures. */
export function medianOf(results: readonly LoadResult[]): LoadResult {
  const median = (field: keyof LoadResult) =>
    percentile(
      results.map((one) => one[field]).toSorted((one, other) => one - other),
      0.5,
    )
  const failures = results.reduce((sum, one) => sum + one.failures, 0)
  return { perSecond: median('perSecond'), p50: median('p50'), p99: median('p99'), failures }
}

/**
 * The median of the quotients of neighboring rounds, because the speed of a shared machine may double between two rounds
 * that are a minute apart.
 */
export function byRound(
  what: string,
  field: 'perSecond' | 'p50' | 'p99',
  ours: LoadResult[],
  baseline: LoadResult[],
  { atLeast = 0, atMost = Number.POSITIVE_INFINITY }: { atLeast?: number; atMost?: number },
): Figure {
  const quotients = ours.map((round, n) => round[field] / (baseline[n]?.[field] ?? Number.NaN))
  const quotient = percentile(
    quotients.toSorted((one, other) => one - other),
    0.5,
  )
  const digits = field === 'perSecond' ? 0 : 2
  const [of, by] = [medianOf(ours)[field], medianOf(baseline)[field]].map((value) => value.toFixed(digits))
  return {
    what,
    measured: `${of} / ${by}, by round ${quotient.toFixed(2)}`,
    figure: atLeast > 0 ? `≥ ${atLeast}` : `≤ ${Number(atMost.toFixed(2))}`,
    holds: quotient >= atLeast && quotient <= atMost,
  }
}

function generator({ popularity, connections, durationMs, ...load }: Load): () => Promise<LoadResult> {
  const requests = requestsOf(load)
  const draw = DRAWS[popularity](requests.length)
  let warmUpMs = popularity === 'each' ? 0 : WARM_UP_MS
  return async () => {
    const times: number[] = []
    let failures = 0
    const startsAt = performance.now() + warmUpMs
    const endsAt = startsAt + durationMs
    const sendRequests = async () => {
      const client = await rawClient(load.port)
      // Callbacks cost less than promises, and the client shares the cores with the server.
      await new Promise<void>((resolve) => {
        const send = () => {
          const sentAt = performance.now()
          const request = sentAt < endsAt ? requests[draw()] : undefined
          if (request === undefined) return resolve()
          client.send(request, (status) => {
            const at = performance.now()
            if (status >= 400) failures += 1
            if (at >= startsAt) times.push(at - sentAt)
            send()
          })
        }
        send()
      })
      client.close()
    }
    await Promise.all(Array.from({ length: connections }, sendRequests))
    warmUpMs = WARM_UP_AGAIN_MS
    times.sort((one, other) => one - other)
    const perSecond = (times.length / durationMs) * 1_000
    return { perSecond, p50: percentile(times, 0.5), p99: percentile(times, 0.99), failures }
  }
}

function requestsOf({ path, headers, requests }: Pick<Load, 'path' | 'headers' | 'requests'>): Buffer[] {
  if ('gets' in requests)
    return linesOf(requests.gets).map((line) => {
      const get: Get = JSON.parse(line)
      return rawRequest('GET', `${path}?${get.query}`, { ...headers, ...get.headers })
    })
  const texts = 'all' in requests ? [requests.all] : linesOf(requests.file)
  return texts.map((body) => rawRequest('POST', path, { ...headers, ...headersOf(body) }, body))
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}

function headersOf(body: string): Record<string, string> {
  return { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
}

const DRAWS: Record<Load['popularity'], (count: number) => () => number> = {
  uniform: (count) => () => Math.floor(Math.random() * count),
  zipf,
  each: () => {
    let next = 0
    return () => next++
  },
}

/** Draws ranks so that rank n is drawn 1/n as often as rank 1. */
function zipf(count: number): () => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank += 1) sums[rank] = sum += 1 / (rank + 1)
  return () => {
    const target = Math.random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] ?? 0) < target) low = middle + 1
      else high = middle
    }
    return low
  }
}

if (import.meta.main) {
  process.once('message', (order: Order) => {
    void generateAll(order).then((results) => process.send?.(results))
  })
}
