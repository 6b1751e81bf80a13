import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/**
 * Asks again and again until the answer is `expected`. Returns when the last question with another answer was sent, in
 * milliseconds from now: a busy machine may answer late, but a later question must not get the old answer.
 */
export async function lastOtherMs(ask: () => Promise<unknown>, expected: unknown): Promise<number> {
  const since = performance.now()
  let lastAt = since
  const askOnce = async () => {
    const sentAt = performance.now()
    const answer = await ask()
    if (!isDeepStrictEqual(answer, expected)) lastAt = sentAt
    return answer
  }
  await expect.poll(askOnce, { interval: 5 }).toEqual(expected)
  return lastAt - since
}
