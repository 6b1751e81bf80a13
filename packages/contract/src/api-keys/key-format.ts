import { KEY_ENVIRONMENTS, type KeyEnvironment } from './key-environment.ts'

const BRAND = 'sb'

/** Start of every secret of an environment: "sb_live_". */
export function keyPrefix(environment: KeyEnvironment): string {
  return `${BRAND}_${environment}_`
}

/** Random characters of a secret: 178 bits. */
export const KEY_BODY_LENGTH = 30
/** Check characters behind the body: CRC32 in base62. */
const CHECK_LENGTH = 6

/** Digits of base62, in order. None needs escaping anywhere, and a double click selects the whole secret. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * @internal The published regular expression of the secrets, for scanners. The largest CRC32 is 4gfFC3, so the check characters begin
 * with 0 to 4.
 */
export const API_KEY_PATTERN = `${BRAND}_(?:${KEY_ENVIRONMENTS.join('|')})_[0-9A-Za-z]{${KEY_BODY_LENGTH}}[0-4][0-9A-Za-z]{${CHECK_LENGTH - 1}}`

const PATTERN = /^[a-z][a-z0-9]{1,9}_(?:live|test)_[0-9A-Za-z]{30}[0-4][0-9A-Za-z]{5}$/

/** The six check characters of a body: a guard against typing errors and a help to scanners, no protection. */
export function keyCheck(body: string): string {
  let rest = crc32(body)
  let check = ''
  for (let n = 0; n < CHECK_LENGTH; n += 1) {
    check = BASE62.charAt(rest % 62) + check
    rest = Math.floor(rest / 62)
  }
  return check
}

/** Whether a text has the format of a secret and valid check characters. Needs no database. */
export function isWellFormedKey(text: string): boolean {
  if (!PATTERN.test(text)) return false
  return keyCheck(text.slice(-KEY_BODY_LENGTH - CHECK_LENGTH, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH)
}

/** Parts of a mask: both ends of the secret, the end of the secret or the id, or the beginning of the secret. */
export type KeyMask = { start: string | null; end: string } | { environment: KeyEnvironment; start: string; end: null }

/**
 * The parts of `sb_live_AbCd…wXyZ` or `sb_test_••••1a2b`, with or without the prefix. Of a text that only begins like a
 * secret, the environment and at most the four characters that are stored. Null for other text.
 */
export function parseKeyMask(term: string): KeyMask | null {
  const { start = null, end } = MASK.exec(term)?.groups ?? {}
  if (end !== undefined) return { start, end }
  const environment = KEY_ENVIRONMENTS.find((one) => term.startsWith(keyPrefix(one)))
  const beginning = environment && BEGINNING.exec(term.slice(keyPrefix(environment).length))
  return environment && beginning ? { environment, start: beginning[1] ?? '', end: null } : null
}

// A single dot does not make a mask: "acme.shop" is the name of a host.
const MASK = new RegExp(
  `^(?:${BRAND}_(?:${KEY_ENVIRONMENTS.join('|')})_)?(?<start>[0-9A-Za-z]{4})?(?:[•…*]+|\\.{2,})(?<end>[0-9A-Za-z]{4})$`,
)
// Part of a secret, or of a mask whose end is not typed yet. A whole secret is longer: its hash finds it.
const BEGINNING = /^([0-9A-Za-z]{0,4})[0-9A-Za-z]{0,31}(?:[•…*.]+[0-9A-Za-z]{0,3})?$/

/** CRC-32 as zlib computes it, written out because the console has no zlib. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let at = 0; at < text.length; at += 1) crc = (CRC_TABLE[(crc ^ text.charCodeAt(at)) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})
