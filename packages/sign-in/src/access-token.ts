import { hash } from 'node:crypto'
import { BASE62 } from '@switchboard/contract/api-keys/key-format'

/** 256 bits: SHA-256 without a salt is sufficient at rest. */
const TOKEN_BYTES = 32
/** Larger bytes are rejected, so that all characters are equally likely: 4 × 62. */
const REJECT_FROM = 248

/** A new opaque access token: 43 characters of base64url. */
export function newAccessToken(randomBytes: (size: number) => Buffer): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Random digits of base62, for API keys and service tokens. */
export function randomBase62(randomBytes: (size: number) => Buffer, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < REJECT_FROM && text.length < length) text += BASE62.charAt(byte % BASE62.length)
    }
  }
  return text
}

/** The stored hash of a session's token or a service token. */
export function accessTokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** The token of a session or a machine in an `Authorization: Bearer` header, or `null` without a well-formed token. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer ([A-Za-z0-9_-]{43}|sb_svc_[A-Za-z0-9]{46})$/i.exec(header ?? '')?.[1] ?? null
}
