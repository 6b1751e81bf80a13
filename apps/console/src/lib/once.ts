import { CallError } from './call-error.ts'

/** Keys of calls that have no answer yet, by what they ask for. */
const keys = new Map<string, string>()
const KEY_BYTES = 16

/**
 * Makes a call that must take effect once. Its answer may be lost, and the admin then tries again: for the same call, `attempt`
 * gets the same `Idempotency-Key`, with which the server repeats its answer.
 */
export async function once<Answer>(call: unknown[], attempt: (key: string) => Promise<Answer>): Promise<Answer> {
  const asked = JSON.stringify(call)
  const key = keys.get(asked) ?? newKey()
  keys.set(asked, key)
  try {
    const answer = await attempt(key)
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
