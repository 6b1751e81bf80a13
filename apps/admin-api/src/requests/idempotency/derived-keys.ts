import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Separates these keys from other uses of the same bearer token. */
const PURPOSE = 'switchboard idempotency'

export type DerivedKeys = ReturnType<typeof deriveKeys>

/**
 * The id of the row and the keys of an `Idempotency-Key` (HKDF with SHA-256, RFC 5869). The bearer token is stored
 * nowhere, so someone with only the database can neither read an answer nor test a guess at a body.
 */
export function deriveKeys(bearerToken: string, idempotencyKey: string) {
  const derived = Buffer.from(hkdfSync('sha256', bearerToken, idempotencyKey, PURPOSE, 3 * KEY_BYTES))
  const part = (at: number) => derived.subarray(at * KEY_BYTES, (at + 1) * KEY_BYTES)
  const [id, fingerprintKey, answerKey] = [part(0), part(1), part(2)]
  return {
    id,
    /** A keyed hash of a call. */
    fingerprint: (call: string) => createHmac('sha256', fingerprintKey).update(call).digest(),
    /** Encrypts an answer with AES-256-GCM. The status is authenticated. */
    encrypt: (answer: string, status: number, randomBytes: (size: number) => Buffer) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', answerKey, nonce).setAAD(Buffer.from(String(status)))
      const text = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    decrypt: (stored: Buffer, status: number) => {
      const decipher = createDecipheriv('aes-256-gcm', answerKey, stored.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(String(status)))
        .setAuthTag(stored.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return decipher.update(stored.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
