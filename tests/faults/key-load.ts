import { setTimeout as sleep } from 'node:timers/promises'
import { verifyKey } from '@switchboard/contract/api-keys/key-verification'

// Asks several ai-apis for keys without a break and notes every answer with its moments.

/** Requests at once to each process, each followed by a short rest. */
const CALLERS = 4
const REST_MS = 3
/** An unanswered call is recorded as status 0 after this time. */
const GIVEN_UP_MS = 15_000

/** A checked key: valid until `takingAt`, refused from `takenAt` on, and either in between. */
export type Probe = { secret: string; kind: 'good' | 'bad' | 'fading'; takingAt: number; takenAt: number }
export type Answer = { address: string; probe: Probe; status: number; askedAt: number; answeredAt: number }

export function startKeyLoad(addresses: readonly string[], probes: readonly Probe[]) {
  const asked = [...probes]
  const answers: Answer[] = []
  const stopping = new AbortController()

  const caller = async (address: string) => {
    while (!stopping.signal.aborted) {
      const probe = asked[Math.floor(Math.random() * asked.length)]
      if (probe === undefined) throw new Error('There is no key to ask for.')
      const askedAt = performance.now()
      const status = await statusOf(address, probe.secret)
      answers.push({ address, probe, status, askedAt, answeredAt: performance.now() })
      await sleep(REST_MS)
    }
  }
  const callers = addresses.flatMap((address) => Array.from({ length: CALLERS }, () => caller(address)))

  return {
    add: (probe: Probe) => void asked.push(probe),
    /**
     * Waits until every process has served valid keys for `calmMs` without a failure; returns the time of the last
     * failure.
     */
    async untilCalm(since: number, calmMs: number): Promise<number> {
      const good = (address: string) =>
        answers.filter((answer) => answer.address === address && answer.probe.kind === 'good' && answer.askedAt > since)
      for (;;) {
        await sleep(50)
        const failed = addresses.flatMap(good).filter(({ status }) => status !== 200)
        const lastFailure = Math.max(since, ...failed.map(({ answeredAt }) => answeredAt))
        const isServing = addresses.every((address) => good(address).some(({ askedAt }) => askedAt > lastFailure))
        if (isServing && performance.now() - lastFailure > calmMs) return lastFailure
      }
    },
    async stop(): Promise<Answer[]> {
      stopping.abort()
      await Promise.all(callers)
      return answers
    },
  }
}

async function statusOf(address: string, secret: string): Promise<number> {
  try {
    const answer = await fetch(`${address}${verifyKey.url}`, {
      method: verifyKey.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: secret }),
      signal: AbortSignal.timeout(GIVEN_UP_MS),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    // Closed or timed out: a running process may not do that.
    return 0
  }
}
