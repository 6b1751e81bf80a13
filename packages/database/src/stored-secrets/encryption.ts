import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'

/** The keys of stored secrets, from `SECRETS_KEY` and `SECRETS_KEY_OLD`. */
export type SecretKeys = {
  /** Encrypts and decrypts. Null: secrets are stored as they are. */
  current: SecretKey | null
  /** Further keys that decrypt. */
  old: readonly SecretKey[]
}
/** A key of 256 bits. Its id, the first four bytes of its SHA-256, is stored with each encrypted secret. */
export type SecretKey = { id: Buffer; key: Buffer }

/** The beginning of an encrypted secret: key id, nonce, tag and text follow. No secret of ours begins like this. */
export const MARK = Buffer.from('aes-256-gcm:1:')
export const KEY_ID_BYTES = 4
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The key in base64. Null for a text that is not 32 bytes in base64. */
export function parseSecretKey(base64: string): SecretKey | null {
  const key = Buffer.from(base64, 'base64')
  if (key.length !== KEY_BYTES || key.toString('base64') !== base64) return null
  return { id: createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES), key }
}

/**
 * Encrypts a secret with AES-256-GCM and the current key; without one, returns it unchanged. Its owner, such as an account or
 * a webhook, is authenticated: the value is unreadable in a row of another owner.
 */
export function encryptSecret(
  { secretKeys: { current }, randomBytes }: { secretKeys: SecretKeys; randomBytes: (size: number) => Buffer },
  ownerId: string,
  secret: Buffer,
): Buffer {
  if (current === null) return secret
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(ownerId))
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([MARK, current.id, nonce, cipher.getAuthTag(), text])
}

/**
 * The secret in a stored value. Null for an unknown key, another owner or a changed value. While there is a current
 * key, also null for an unencrypted secret, because anyone who can write to the database could have stored it.
 */
export function decryptSecret({ current, old }: SecretKeys, ownerId: string, stored: Buffer): Buffer | null {
  const id = keyIdOf(stored)
  if (id === null) return current === null ? stored : null
  const key = (current === null ? old : [current, ...old]).find((known) => known.id.equals(id))
  if (key === undefined) return null
  const sealed = stored.subarray(MARK.length + KEY_ID_BYTES)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(ownerId))
      .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/** Whether a stored value is as `encryptSecret` stores it now. */
export function isCurrent({ current }: SecretKeys, stored: Buffer): boolean {
  const id = keyIdOf(stored)
  return id === null || current === null ? id === current : id.equals(current.id)
}

export function isPlain(stored: Buffer): boolean {
  return keyIdOf(stored) === null
}

function keyIdOf(stored: Buffer): Buffer | null {
  if (!stored.subarray(0, MARK.length).equals(MARK)) return null
  return stored.subarray(MARK.length, MARK.length + KEY_ID_BYTES)
}
