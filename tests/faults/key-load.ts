import { setTimeout as sleep } from 'node:timers/promises'
import { verifyKey } from '@switchboard/contract/api-keys/key-verification'

// Checks keys at several ai-apis continuously and records every answer with its times.

/** Parallel clients of each process, and the pause of a client after each request. */
const CLIENTS = 4
const PAUSE_MS = 3
/** An unanswered call is recorded as status 0 after this time. */
const TIMEOUT_MS = 15_000
/** Share of the checks for keys whose disabling has begun, until this time after its end. */
const FRESH_SHARE = 0.5
const FRESH_MS = 2_000

/** A checked key: valid until `disablingAt`, refused from `disabledAt` on, and either in between. */
export type Probe = { secret: string; kind: 'good' | 'bad' | 'disabled'; disablingAt: number; disabledAt: number }
export type Answer = { address: string; probe: Probe; status: number; sentAt: number; answeredAt: number }

/** Starts the clients. */
export function startKeyLoad(addresses: readonly string[], initialProbes: readonly Probe[]) {
  const probes = [...initialProbes]
  const answers: Answer[] = []
  const stopping = new AbortController()

  const runClient = async (address: string) => {
    while (!stopping.signal.aborted) {
      const fresh = probes.filter(isFresh)
      const probe = anyOf(fresh.length > 0 && Math.random() < FRESH_SHARE ? fresh : probes)
      if (probe === undefined) throw new Error('There is no key to check.')
      const sentAt = performance.now()
      const status = await statusOf(address, probe.secret)
      answers.push({ address, probe, status, sentAt, answeredAt: performance.now() })
      await sleep(PAUSE_MS)
    }
  }
  const clients = addresses.flatMap((address) => Array.from({ length: CLIENTS }, () => runClient(address)))

  return {
    add: (probe: Probe) => void probes.push(probe),
    /**
     * Waits until every process has served valid keys for `calmMs` without a failure; returns the time of the last
     * failure.
     */
    async untilCalm(since: number, calmMs: number): Promise<number> {
      const good = (address: string) =>
        answers.filter((answer) => answer.address === address && answer.probe.kind === 'good' && answer.sentAt > since)
      for (;;) {
        await sleep(50)
        const failed = addresses.flatMap(good).filter(({ status }) => status !== 200)
        const lastFailure = Math.max(since, ...failed.map(({ answeredAt }) => answeredAt))
        const isServing = addresses.every((address) => good(address).some(({ sentAt }) => sentAt > lastFailure))
        if (isServing && performance.now() - lastFailure > calmMs) return lastFailure
      }
    },
    async stop(): Promise<Answer[]> {
      stopping.abort()
      await Promise.all(clients)
      return answers
    },
  }
}

function isFresh({ disablingAt, disabledAt }: Probe): boolean {
  return disablingAt < performance.now() && performance.now() < disabledAt + FRESH_MS
}

function anyOf<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)]
}

async function statusOf(address: string, secret: string): Promise<number> {
  try {
    const answer = await fetch(`${address}${verifyKey.url}`, {
      method: verifyKey.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: secret }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    // Closed or timed out, which no running process may do.
    return 0
  }
}
