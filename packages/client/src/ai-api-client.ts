import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './ai-api.d.ts'
import { patientFetch } from './patient-fetch.ts'

/** The calls of ai-api with their types. */
export type AiApi = Client<paths>

/** A refused call gives its body as `error`. */
export function createAiApi({ url, token, timeoutMs }: { url: string; token: string; timeoutMs: number }): AiApi {
  return createClient({
    baseUrl: url,
    headers: { authorization: `Bearer ${token}` },
    // A second attempt finds another server of the same address. Waiting for a busy one would keep the user waiting.
    fetch: patientFetch({ attempts: 2, firstWaitMs: 50, timeoutMs, isRetryable: () => false }),
  })
}
