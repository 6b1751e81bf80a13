import { Secret, TOTP } from 'otpauth'

/** The codes of an authenticator app with a secret in base32. */
export function totpCodes(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  /** The code at a time, moved by whole steps of 30 seconds. */
  return (at: Date, steps = 0): string => totp.generate({ timestamp: at.getTime() + steps * 30_000 })
}

/** A secret in base32, for rows that a test inserts. */
export function base32Of(secret: Buffer): string {
  return Secret.fromHex(secret.toString('hex')).base32
}
