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

const knownCredential = z.object({ id: z.string(), transports: z.array(z.string()) })

/** Asks a browser for the signature of a passkey. Without `credentials` the person chooses any passkey of the console. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rp_id: z.string(),
  user_verification: z.enum(['required', 'preferred']),
  credentials: z.array(knownCredential),
})
export type PasskeyRequest = z.infer<typeof passkeyRequest>

/** The signature of a passkey: `response` of `AuthenticatorAssertionResponse`. */
export const passkeyAnswer = z.strictObject({
  credential_id: credentialId,
  client_data: clientData,
  authenticator_data: base64url(4_096),
  signature: base64url(2_048),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

/** Asks a browser for a new passkey. `credentials` are the passkeys of the account, which are not made again. */
export const passkeyCreation = z.object({
  challenge: z.string(),
  rp_id: z.string(),
  rp_name: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  algorithms: z.array(z.int()),
  credentials: z.array(knownCredential),
})
export type PasskeyCreation = z.infer<typeof passkeyCreation>

/** A new passkey: `response` of `AuthenticatorAttestationResponse`. */
export const newPasskey = z.strictObject({
  credential_id: credentialId,
  client_data: clientData,
  attestation_object: base64url(16_384),
  transports,
})
export type NewPasskey = z.infer<typeof newPasskey>
