import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import { CallError } from './call-error.ts'
import { type Answer, call, type CallInput } from './call.ts'

/** Keys of calls that have no answer yet, by what they ask for. */
const keys = new Map<string, string>()
const KEY_BYTES = 16

/**
 * Makes a call that must take effect once, such as a creation. Its answer may be lost, and the admin then tries again: the same
 * call has the same `Idempotency-Key`, with which the server repeats its answer. Throws a `CallError`.
 */
export async function callOnce<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Answer<E>> {
  const asked = JSON.stringify([endpoint.url, input])
  const idempotencyKey = keys.get(asked) ?? newKey()
  keys.set(asked, idempotencyKey)
  try {
    const answer = await call(endpoint, { ...input, idempotencyKey })
    keys.delete(asked)
    return answer
  } catch (error) {
    // The server repeats this refusal too, but its reason may have gone.
    if (error instanceof CallError && error.status === 422) keys.delete(asked)
    throw error
  }
}

// `randomUUID` is missing without https.
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))].map((byte) => byte.toString(36)).join('-')
}
