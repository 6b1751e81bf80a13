import { TOTP_DIGITS, TOTP_SECONDS, TOTP_WINDOW } from '@switchboard/contract/auth/challenge'
import { Secret, TOTP } from 'otpauth'

/** 160 bits, the length of a SHA-1 key (RFC 4226, 4). */
const SECRET_BYTES = 20

export function newTotpSecret(randomBytes: (size: number) => Buffer): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** The secret for typing by hand, and its `otpauth:` address for a QR code. */
export function totpTexts(secret: Buffer, { issuer, label }: { issuer: string; label: string }) {
  const totp = totpOf(secret, { issuer, label })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/**
 * The time step of a code if the code is right at this moment and newer than `lastStep`, otherwise `null`. Codes of the
 * step before and the step after are right too, because the clocks of phones differ.
 */
export function acceptedStep(
  secret: Buffer,
  { code, at, lastStep }: { code: string; at: Date; lastStep: number },
): number | null {
  const totp = totpOf(secret)
  const timestamp = at.getTime()
  const delta = totp.validate({ token: code, timestamp, window: TOTP_WINDOW })
  if (delta === null) return null
  const step = totp.counter({ timestamp }) + delta
  return step > lastStep ? step : null
}

function totpOf(secret: Buffer, texts: { issuer: string; label: string } = { issuer: '', label: '' }): TOTP {
  const options = { algorithm: 'SHA1', digits: TOTP_DIGITS, period: TOTP_SECONDS }
  return new TOTP({ ...texts, ...options, secret: Secret.fromHex(secret.toString('hex')) })
}
