import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { SecretKey } from '@switchboard/database/stored-secrets/encryption'

/** The signature of a file by its SHA-256: an HMAC with a key that is derived from SECRETS_KEY. */
export function signatureOf({ key }: SecretKey, sha256: Buffer): Buffer {
  return createHmac('sha256', signingKeyOf(key)).update(sha256).digest()
}

export function isSignatureOf(key: SecretKey, sha256: Buffer, signature: Buffer): boolean {
  return timingSafeEqual(signatureOf(key, sha256), signature)
}

/** Derived, so that signatures and encryption do not use the same key. */
function signingKeyOf(key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'switchboard backup', 32))
}
