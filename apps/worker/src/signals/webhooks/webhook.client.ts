import { VERSION } from '@switchboard/server/settings/version'
import type { AddressGuard } from '@switchboard/server/outbound/address-guard'
import { outboundAgent } from '@switchboard/server/outbound/outbound-agent'
import { retryAfterOf } from '@switchboard/server/outbound/retry-after'
import type { OutboundProxies } from '@switchboard/server/settings/outbound-proxies'
import { type Dispatcher, request } from 'undici'
import { connectionFailure } from '#src/signals/connection-failures.ts'

/** Time limits of a connection and of a whole attempt. */
const CONNECT_MS = 5_000
const TOTAL_MS = 10_000
/** Part of an answer that is kept, and the size that ends the connection. */
const ANSWER_BYTES = 4_096
const BODY_MAX = 1_048_576
const UNKNOWN = 'The delivery could not be sent.'

/**
 * The answer to an attempt. `status` and `answer` are null without one, `problem` is null for a success. `retryAfter` is the header
 * of a receiver that is overloaded.
 */
export type Sent = { status: number | null; problem: string | null; answer: string | null; retryAfter?: string }

export type WebhookClient = {
  /** Posts a body once. Never throws: each failure is a `problem`. Follows no redirect. */
  send(url: string, message: { headers: Record<string, string>; body: string }): Promise<Sent>
  /** Closes the connections; running attempts fail. */
  close(): Promise<void>
}

type Options = { guard: AddressGuard; proxies?: OutboundProxies; totalMs?: number }

/** Sends deliveries to addresses that the guard allows. */
export function createWebhookClient({ guard, proxies, totalMs = TOTAL_MS }: Options): WebhookClient {
  const dispatcher = outboundAgent(proxies, { connectMs: Math.min(CONNECT_MS, totalMs), bodyMax: BODY_MAX, guard })
  return {
    async send(url, { headers, body }) {
      try {
        const response = await request(url, {
          dispatcher,
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': `Switchboard/${VERSION}`, ...headers },
          body,
          signal: AbortSignal.timeout(totalMs),
        })
        const { statusCode: status } = response
        const retryAfter = retryAfterOf(response)
        const answer = await beginningOf(response.body)
        return { status, problem: problemOf(status), answer, ...(retryAfter !== undefined && { retryAfter }) }
      } catch (error) {
        return { status: null, problem: connectionFailure(error) ?? UNKNOWN, answer: null }
      }
    },
    close: () => dispatcher.destroy(),
  }
}

function problemOf(status: number): string | null {
  if (status >= 200 && status <= 299) return null
  const redirects = status >= 300 && status <= 399 ? ' Redirects are not followed.' : ''
  return `The receiver answered with status ${status}.${redirects}`
}

/** The first 4 kB of an answer as text. The status is known, so an answer that breaks off has not failed. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      size += bytes.length
      if (size >= ANSWER_BYTES) break
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
  // PostgreSQL stores no NUL. A character that was cut becomes a replacement character.
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString().replaceAll('\0', '')
}
