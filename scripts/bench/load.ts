import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

// Asks a server as fast as it answers, from a process of its own so that asking does not slow down the answering.

const CONNECTIONS = 64
/** Answers before the clock starts. */
const WARM_UP_MS = 500

export type Load = {
  port: number
  path: string
  /** File with one JSON body a line, the most popular first. */
  bodies: string
  /** How the bodies are drawn; `each` sends every one once and ends. */
  popularity: 'zipf' | 'uniform' | 'each'
  durationMs: number
}
export type LoadResult = { perSecond: number; p50: number; p99: number; failures: number }

/** Runs the load in another process and returns what it saw; times in milliseconds. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const child = fork(new URL(import.meta.url), { stdio: 'inherit' })
  child.send(load)
  const result = await new Promise<LoadResult>((resolve, reject) => {
    child.once('message', (message: LoadResult) => resolve(message))
    child.once('exit', (code) => reject(new Error(`The load ended with ${code}.`)))
  })
  child.kill()
  return result
}

async function generate({ port, path, bodies, popularity, durationMs }: Load): Promise<LoadResult> {
  const requests = readFileSync(bodies, 'utf8')
    .trimEnd()
    .split('\n')
    .map((body) => requestOf(path, body))
  const draw = DRAWS[popularity](requests.length)
  const times: number[] = []
  let failures = 0
  const startsAt = performance.now() + WARM_UP_MS
  const endsAt = startsAt + durationMs
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      await new Promise<void>((resolve, reject) => {
        let sentAt = 0
        let received = ''
        const next = () => {
          sentAt = performance.now()
          const request = sentAt < endsAt ? requests[draw()] : undefined
          if (request === undefined) return resolve()
          socket.write(request)
        }
        socket.once('connect', next).once('error', reject)
        socket.on('data', (chunk: Buffer) => {
          received += chunk.toString('latin1')
          if (!isWhole(received)) return
          const at = performance.now()
          if (!received.startsWith('HTTP/1.1 2')) failures += 1
          received = ''
          if (at >= startsAt) times.push(at - sentAt)
          next()
        })
      })
      socket.destroy()
    }),
  )
  times.sort((one, other) => one - other)
  const at = (part: number) => times[Math.floor(times.length * part)] ?? Number.NaN
  return { perSecond: (times.length / durationMs) * 1_000, p50: at(0.5), p99: at(0.99), failures }
}

function requestOf(path: string, body: string): Buffer {
  const length = Buffer.byteLength(body)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`,
  )
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n')
  if (head === -1) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1]
  return answer.length >= head + 4 + Number(length ?? 0)
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
  process.once('message', (load: Load) => {
    void generate(load).then((result) => process.send?.(result))
  })
}
