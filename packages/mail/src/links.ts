import { hash } from 'node:crypto'
import { LINK_PATHS, type LinkKind } from '@switchboard/contract/links'

/** 256 bits: SHA-256 without a salt is sufficient at rest. */
const TOKEN_BYTES = 32

/** A link to a page of the console or of a portal, and the hash to store. The token is in the fragment, which browsers never send. */
export function newLink(
  { randomBytes }: { randomBytes: (size: number) => Buffer },
  kind: LinkKind,
  origin: string,
): { url: string; token_hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { url: `${origin}${LINK_PATHS[kind]}#${token}`, token_hash: linkTokenHash(token) }
}

/** The stored hash of the token of a link. */
export function linkTokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
