import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type {
  NewPasskey,
  PasskeyAnswer,
  PasskeyCreation,
  PasskeyRequest,
} from '@switchboard/contract/second-factors/passkeys'

// Loaded with the first use of a passkey. Both functions throw if the browser, the device or the person refuses.

/** Asks the browser for a new passkey. */
export async function createPasskey(creation: PasskeyCreation): Promise<NewPasskey> {
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge: creation.challenge,
      rp: { id: creation.rp_id, name: creation.rp_name },
      user: { id: creation.user_id, name: creation.user_name, displayName: creation.user_name },
      pubKeyCredParams: creation.algorithms.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      excludeCredentials: creation.credentials.map(descriptorOf),
    },
  })
  return {
    credential_id: id,
    client_data: response.clientDataJSON,
    attestation_object: response.attestationObject,
    transports: response.transports ?? [],
  }
}

/** Asks the browser for the signature of a passkey. */
export async function signWithPasskey(request: PasskeyRequest): Promise<PasskeyAnswer> {
  const { id, response } = await startAuthentication({
    optionsJSON: {
      challenge: request.challenge,
      rpId: request.rp_id,
      userVerification: request.user_verification,
      allowCredentials: request.credentials.map(descriptorOf),
    },
  })
  return {
    credential_id: id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  }
}

function descriptorOf({ id, transports }: PasskeyRequest['credentials'][number]) {
  return { type: 'public-key' as const, id, transports }
}
