import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { percentile } from './measure.ts'
import { rawClient, rawRequest } from './raw-client.ts'

// Asks a server as fast as it answers, from a process of its own so that asking does not slow down the answering.

/** How long a load runs before its clock starts, the first time and again. */
const WARM_UP_MS = 500
const WARM_AGAIN_MS = 100

export type Load = {
  port: number
  path: string
  /** Beside those that a body needs. */
  headers?: Record<string, string>
  /** JSON bodies to POST, the most popular first: a file with one a line, or what all send. Without any it is a GET. */
  bodies?: { file: string } | { all: string }
  /** How the bodies are drawn; `each` sends every one once and ends. */
  popularity: 'zipf' | 'uniform' | 'each'
  connections: number
  durationMs: number
}
export type LoadResult = { perSecond: number; p50: number; p99: number; failures: number }

/** Runs the load in another process and returns what it saw; times in milliseconds. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const [result] = await runLoads([load], 1)
  if (result === undefined) throw new Error('The load had no result.')
  return result
}

/**
 * Runs several loads in another process, `rounds` times one after the other, so that whatever else the machine does meets
 * all. Returns the median of the rounds of each: what holds the machine up once is in one of them.
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

function generator({ popularity, connections, durationMs, ...load }: Load): () => Promise<LoadResult> {
  const requests = requestsOf(load)
  const draw = DRAWS[popularity](requests.length)
  let warmUpMs = WARM_UP_MS
  return async () => {
    const times: number[] = []
    let failures = 0
    const startsAt = performance.now() + warmUpMs
    const endsAt = startsAt + durationMs
    const askAgainAndAgain = async () => {
      const client = await rawClient(load.port)
      // Callbacks, not promises: what this process takes is missing elsewhere.
      await new Promise<void>((resolve) => {
        const ask = () => {
          const sentAt = performance.now()
          const request = sentAt < endsAt ? requests[draw()] : undefined
          if (request === undefined) return resolve()
          client.send(request, (status) => {
            const at = performance.now()
            if (status >= 300) failures += 1
            if (at >= startsAt) times.push(at - sentAt)
            ask()
          })
        }
        ask()
      })
      client.close()
    }
    await Promise.all(Array.from({ length: connections }, askAgainAndAgain))
    warmUpMs = WARM_AGAIN_MS
    times.sort((one, other) => one - other)
    const perSecond = (times.length / durationMs) * 1_000
    return { perSecond, p50: percentile(times, 0.5), p99: percentile(times, 0.99), failures }
  }
}

function requestsOf({ path, headers, bodies }: Pick<Load, 'path' | 'headers' | 'bodies'>): Buffer[] {
  if (bodies === undefined) return [rawRequest('GET', path, { ...headers })]
  const texts = 'all' in bodies ? [bodies.all] : readFileSync(bodies.file, 'utf8').trimEnd().split('\n')
  return texts.map((body) => rawRequest('POST', path, { ...headers, ...headersOf(body) }, body))
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

/** Draws ranks so that the n-th is asked for 1/n as often as the first. */
function zipf(count: number): () => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank += 1) sums[rank] = sum += 1 / (rank + 1)
  return () => {
    const wanted = Math.random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
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
