import { createHash } from 'node:crypto'
import type { KeyEnvironment } from '@switchboard/contract/api-keys/key-environment'
import { BASE62, KEY_BODY_LENGTH, keyCheck, keyPrefix } from '@switchboard/contract/api-keys/key-format'

/** Larger bytes are rejected, so that all characters are equally likely: 4 × 62. */
const REJECT_FROM = 248

/** A new secret, for one answer only, and the stored parts of the secret. */
export function newSecret(randomBytes: (size: number) => Buffer, environment: KeyEnvironment) {
  const key_prefix = keyPrefix(environment)
  const body = newBody(randomBytes)
  const secret = `${key_prefix}${body}${keyCheck(body)}`
  return {
    secret,
    stored: {
      key_hash: createHash('sha256').update(secret).digest(),
      environment,
      key_prefix,
      key_start: body.slice(0, 4),
      key_last4: secret.slice(-4),
    },
  }
}

function newBody(randomBytes: (size: number) => Buffer): string {
  let body = ''
  while (body.length < KEY_BODY_LENGTH) {
    for (const byte of randomBytes(KEY_BODY_LENGTH)) {
      if (byte < REJECT_FROM && body.length < KEY_BODY_LENGTH) body += BASE62.charAt(byte % BASE62.length)
    }
  }
  return body
}
