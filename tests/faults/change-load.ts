import { setTimeout as sleep } from 'node:timers/promises'
import { toggleApiKey } from '@switchboard/contract/api-keys'
import { createTenant } from '@switchboard/contract/tenants'
import type { Probe } from './key-load.ts'

// Writes audited changes at an admin-api continuously: tenants are created and API keys are disabled.

/** Parallel writers, each with its own session, and the pause of a writer after each change. */
export const WRITERS = 4
const PAUSE_MS = 60
/** Changes of a writer for each disabled key. */
const DISABLE_EVERY = 5
/** An unanswered change is recorded as status 0 after this time. */
const TIMEOUT_MS = 15_000

export type Change = { status: number; detail: string; sentAt: number; answeredAt: number; id: string | undefined }
/** A key that is disabled under load, and its probe. */
export type Victim = { id: string; probe: Probe }

/**
 * Starts the writers. Every fifth change of a writer disables the next victim, again until it succeeds. All other changes
 * create a tenant.
 */
export function startChangeLoad(address: string, tokens: readonly string[], victims: readonly Victim[]) {
  const waiting = [...victims]
  const changes: Change[] = []
  const stopping = new AbortController()

  const send = async (token: string, method: string, url: string, body: object): Promise<Change> => {
    const sentAt = performance.now()
    const answer = await answerOf(`${address}${url}`, method, token, body)
    const change = { ...answer, sentAt, answeredAt: performance.now() }
    changes.push(change)
    return change
  }
  const disable = async (token: string, { id, probe }: Victim) => {
    probe.disablingAt = performance.now()
    const url = toggleApiKey.url.replace(':key_id', id)
    while ((await send(token, toggleApiKey.method, url, { is_active: false })).status !== 200) {
      if (stopping.signal.aborted) return
      await sleep(PAUSE_MS)
    }
    probe.disabledAt = performance.now()
  }
  const runWriter = async (token: string) => {
    for (let n = 0; !stopping.signal.aborted; n += 1) {
      const victim = n % DISABLE_EVERY === 0 ? waiting.shift() : undefined
      const name = `t-${crypto.randomUUID()}`
      const tenant = { name, subdomain: name, tenant_type: 'product' }
      if (victim !== undefined) await disable(token, victim)
      else await send(token, createTenant.method, createTenant.url, tenant)
      await sleep(PAUSE_MS)
    }
  }
  const writers = tokens.map(runWriter)

  return {
    /** Waits until changes succeed for `calmMs` without a failure. */
    async untilCalm(since: number, calmMs: number): Promise<void> {
      for (;;) {
        await sleep(50)
        const lastFailure = lastFailureAfter(since, changes)
        const isServing = changes.some(({ sentAt }) => sentAt > lastFailure)
        if (isServing && performance.now() - lastFailure > calmMs) return
      }
    },
    async stop(): Promise<Change[]> {
      stopping.abort()
      await Promise.all(writers)
      return changes
    },
  }
}

/** The time of the last failed answer to a call sent after `since`, or `since`. */
export function lastFailureAfter(
  since: number,
  answers: readonly { status: number; sentAt: number; answeredAt: number }[],
): number {
  const failed = answers.filter(({ status, sentAt }) => sentAt > since && status !== 200 && status !== 201)
  return Math.max(since, ...failed.map(({ answeredAt }) => answeredAt))
}

async function answerOf(url: string, method: string, token: string, body: object) {
  try {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await answer.text()
    // The id of a created tenant.
    const id = answer.status === 201 ? createTenant.schema.response[201].parse(JSON.parse(text)).id : undefined
    return { status: answer.status, detail: text.slice(0, 200), id }
  } catch (error) {
    return { status: 0, detail: String(error), id: undefined }
  }
}
