import * as z from 'zod/mini'
import { text } from '#src/wire/text.ts'

// Passkeys on the wire: the data of WebAuthn Level 3, with the field names of this API. Binary values are base64url.

const base64url = (max: number) => text(max).check(z.regex(/^[\w-]+$/, 'Use base64url.'))
/** A credential id has at most 1,023 bytes. */
const credentialId = base64url(1_364)
const clientData = base64url(4_096)
const transports = z.array(text(30)).check(z.maxLength(8))

/** COSE numbers of the accepted signatures: Ed25519, ECDSA with P-256, RSA. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-8, -7, -257]

const knownCredential = z.object({
  /** Id of the credential. */
  id: z.string(),
  /** How the browser reaches the credential, as it reported. */
  transports: z.array(z.string()),
})

/** Asks a browser for the signature of a passkey. Without `credentials` the person chooses any passkey of the console. */
export const passkeyRequest = z.object({
  /** Random value to sign. */
  challenge: z.string(),
  /** Domain that the passkey belongs to. */
  rp_id: z.string(),
  /** Whether the passkey has to verify its user, by a fingerprint or a PIN. */
  user_verification: z.enum(['required', 'preferred']),
  /** Passkeys of the account. Empty: any passkey of the console. */
  credentials: z.array(knownCredential),
})
export type PasskeyRequest = z.infer<typeof passkeyRequest>

/** The signature of a passkey: `response` of `AuthenticatorAssertionResponse`. */
export const passkeyAnswer = z.strictObject({
  /** Id of the credential. */
  credential_id: credentialId,
  /** `clientDataJSON` of the browser. */
  client_data: clientData,
  /** `authenticatorData` of the browser. */
  authenticator_data: base64url(4_096),
  /** `signature` of the browser. */
  signature: base64url(2_048),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

/** Asks a browser for a new passkey. `credentials` are the passkeys of the account, which are not made again. */
export const passkeyCreation = z.object({
  /** Random value to sign. */
  challenge: z.string(),
  /** Domain that the passkey belongs to. */
  rp_id: z.string(),
  /** Name of the console. */
  rp_name: z.string(),
  /** Id of the account for the passkey. */
  user_id: z.string(),
  /** Email address of the account. */
  user_name: z.string(),
  /** COSE numbers of the accepted signatures. */
  algorithms: z.array(z.int()),
  /** Passkeys of the account, which are not made again. */
  credentials: z.array(knownCredential),
})
export type PasskeyCreation = z.infer<typeof passkeyCreation>

/** A new passkey: `response` of `AuthenticatorAttestationResponse`. */
export const newPasskey = z.strictObject({
  /** Id of the credential. */
  credential_id: credentialId,
  /** `clientDataJSON` of the browser. */
  client_data: clientData,
  /** `attestationObject` of the browser. */
  attestation_object: base64url(16_384),
  /** How the browser reaches the credential, as it reported. */
  transports,
})
export type NewPasskey = z.infer<typeof newPasskey>
