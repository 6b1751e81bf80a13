import { createHash } from 'node:crypto'
import type { KeyEnvironment } from '@switchboard/contract/api-keys/key-environment'
import { KEY_BODY_LENGTH, keyCheck, keyPrefix } from '@switchboard/contract/api-keys/key-format'
import { randomBase62 } from '@switchboard/sign-in/access-token'

/** A new secret, which only one answer contains, and the parts of it that are stored. */
export function newSecret(randomBytes: (size: number) => Buffer, environment: KeyEnvironment) {
  const key_prefix = keyPrefix(environment)
  const body = randomBase62(randomBytes, KEY_BODY_LENGTH)
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
