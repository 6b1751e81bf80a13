import { keyCheck } from '#src/api-keys/key-format.ts'

/** Start of every service token. */
export const TOKEN_PREFIX = 'sb_svc_'
/** Random characters of a service token: 238 bits. Six check characters follow, as in an API key. */
export const TOKEN_BODY_LENGTH = 40

/** @internal The published regular expression of service tokens, for scanners. */
export const TOKEN_PATTERN = `${TOKEN_PREFIX}[0-9A-Za-z]{${TOKEN_BODY_LENGTH}}[0-4][0-9A-Za-z]{5}`

const PATTERN = /^sb_svc_([0-9A-Za-z]{40})([0-4][0-9A-Za-z]{5})$/

/** Whether a text has the format of a service token and valid check characters. Needs no database. */
export function isWellFormedToken(text: string): boolean {
  const [, body = '', check] = PATTERN.exec(text) ?? []
  return body !== '' && keyCheck(body) === check
}
