import { hash } from 'node:crypto'
import { RECOVERY_CODE_BYTES, RECOVERY_CODES } from '@switchboard/contract/second-factors'
import { Secret } from 'otpauth'

/** New recovery codes: 24 characters of base32 in six groups, easy to copy and to type. */
export function newRecoveryCodes(randomBytes: (size: number) => Buffer): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const { base32 } = Secret.fromHex(randomBytes(RECOVERY_CODE_BYTES).toString('hex'))
    return base32.toLowerCase().replaceAll(/.{4}(?=.)/g, '$&-')
  })
}

/** The stored hash of a recovery code, typed in any case and with any separators. */
export function recoveryCodeHash(code: string): Buffer {
  return hash('sha256', code.toLowerCase().replaceAll(/[^a-z\d]/g, ''), 'buffer')
}
