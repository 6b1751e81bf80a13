import { hash } from 'node:crypto'

/** 256 bits: SHA-256 without a salt is sufficient at rest. */
const TOKEN_BYTES = 32

/** A new opaque access token: 43 characters of base64url. */
export function newAccessToken(randomBytes: (size: number) => Buffer): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** The stored hash of a token. */
export function accessTokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** The token of an `Authorization: Bearer` header, or `null` without a well-formed token. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(header ?? '')?.[1] ?? null
}
