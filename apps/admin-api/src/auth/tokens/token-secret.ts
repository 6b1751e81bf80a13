import { keyCheck } from '@switchboard/contract/api-keys/key-format'
import { TOKEN_BODY_LENGTH, TOKEN_PREFIX } from '@switchboard/contract/tokens/token-format'
import { accessTokenHash, randomBase62 } from '@switchboard/sign-in/access-token'

/** Random characters that the list shows. */
const SHOWN_LENGTH = 4

/** A new secret, which only one answer contains, and the parts of it that are stored. */
export function newTokenSecret(randomBytes: (size: number) => Buffer) {
  const body = randomBase62(randomBytes, TOKEN_BODY_LENGTH)
  const token = `${TOKEN_PREFIX}${body}${keyCheck(body)}`
  const token_start = token.slice(0, TOKEN_PREFIX.length + SHOWN_LENGTH)
  return { token, stored: { token_hash: accessTokenHash(token), token_start } }
}
