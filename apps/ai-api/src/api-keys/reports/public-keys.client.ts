import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { outboundAgent } from '@switchboard/server/outbound/outbound-agent'
import type { OutboundProxies } from '@switchboard/server/settings/outbound-proxies'
import { unavailable } from '@switchboard/server/http/errors'
import type { Log } from '@switchboard/server/process/log'
import { request } from 'undici'
import * as z from 'zod/mini'

/** Limits of a connection, a whole call and an answer. */
const CONNECT_MS = 5_000
const TOTAL_MS = 10_000
const BODY_MAX = 262_144

/** Age after which the keys are fetched again, and shortest time between two fetches for an unknown key. */
const KEPT_MS = 3_600_000
const PAUSE_MS = 60_000

/** The curve of the signatures: P-256. */
const CURVE = 'prime256v1'

const published = z.object({
  public_keys: z.array(z.object({ key_identifier: z.string(), key: z.string() })).check(z.maxLength(100)),
})

export type PublicKeys = {
  /**
   * Whether the key with this identifier signed a body. The signature is in base64. Throws 503 when the keys cannot be
   * fetched.
   */
  isSigned(body: Buffer, signed: { identifier: string; signature: string }): Promise<boolean>
  /** Closes the connections. */
  close(): Promise<void>
}

type Options = { url: string; now: () => Date; log: Log; proxies?: OutboundProxies | undefined }

/** The public keys of a secret scanning service, cached for an hour. An unknown identifier fetches them at most once a minute. */
export function createPublicKeys({ url, now, log, proxies }: Options): PublicKeys {
  const dispatcher = outboundAgent(proxies, { connectMs: CONNECT_MS, bodyMax: BODY_MAX })
  let keys: ReadonlyMap<string, KeyObject> = new Map()
  let fetchedAt = -Infinity
  let fetching: Promise<void> | undefined

  async function refresh(): Promise<void> {
    // Also after a failure, so that strangers cannot cause a fetch for each of their calls.
    fetchedAt = now().getTime()
    const { statusCode, body } = await request(url, {
      dispatcher,
      headers: { accept: 'application/json', 'user-agent': 'switchboard' },
      signal: AbortSignal.timeout(TOTAL_MS),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`)
    const { public_keys } = z.parse(published, JSON.parse(text))
    keys = new Map(public_keys.map(({ key_identifier, key }) => [key_identifier, createPublicKey(key)]))
  }

  async function keyOf(identifier: string): Promise<KeyObject | undefined> {
    const age = now().getTime() - fetchedAt
    if (age > KEPT_MS || (!keys.has(identifier) && age > PAUSE_MS)) {
      fetching ??= refresh().finally(() => (fetching = undefined))
    }
    try {
      await fetching
    } catch (error) {
      log.warn(error, 'The public keys of the secret scanning service could not be fetched.')
      if (!keys.has(identifier)) throw unavailable('The signature cannot be checked now.')
    }
    return keys.get(identifier)
  }

  return {
    isSigned: async (body, { identifier, signature }) => {
      const key = await keyOf(identifier)
      if (key?.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== CURVE) return false
      return verify('sha256', body, key, Buffer.from(signature, 'base64'))
    },
    close: () => dispatcher.destroy(),
  }
}
