import { timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** The signed parts: the id of the message, its time in seconds since 1970 and its body, byte for byte. */
type SignedMessage = { id: string; timestamp: string; body: string | Buffer }

/** Maximum number of compared signatures in a header. */
const SIGNATURES_MAX = 4

/** The `webhook-signature` of a message by Standard Webhooks (standardwebhooks.com): an HMAC-SHA256 under `secret`. */
export function signatureOf(secret: string, { id, timestamp, body }: SignedMessage): string {
  const webhook = new Webhook(keyOf(secret), { format: 'raw' })
  return webhook.sign(id, new Date(Number(timestamp) * 1_000), body)
}

/**
 * Whether a `webhook-signature` header, of one or several signatures separated by spaces, has a signature by one of the
 * secrets. Takes the same time for every wrong signature.
 */
export function isSigned(secrets: readonly string[], message: SignedMessage, header: string): boolean {
  const given = header.split(' ').slice(0, SIGNATURES_MAX)
  const expected = secrets.map((secret) => signatureOf(secret, message))
  return expected.flatMap((signature) => given.map((other) => isEqual(signature, other))).includes(true)
}

function isEqual(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The standard writes secrets as `whsec_` and base64. Any other text is the key itself. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
}
