import {
  type NewPasskey,
  PASSKEY_ALGORITHMS,
  type PasskeyAnswer,
  type PasskeyCreation,
  type PasskeyRequest,
} from '@switchboard/contract/second-factors/passkeys'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { Deps } from '#src/deps.ts'
import type { SecondFactorRow } from './second-factors.queries.ts'

const CHALLENGE_BYTES = 32
/** Longest logged reason: a reason quotes the answer of the browser. */
const REASON_MAX = 300

/** The web site of the passkeys: the origin of the console and the host name in it. */
export type Site = { origin: string; rp_id: string }

/** The site of a request: `PUBLIC_URL`, or the address in the request. A host that no URL can have has no passkeys. */
export function siteOf(publicUrl: string | undefined, { protocol, host }: { protocol: string; host: string }): Site {
  const url = URL.parse(publicUrl ?? `${protocol}://${host}`)
  return { origin: url?.origin ?? '', rp_id: url?.hostname ?? '' }
}

export function newWebauthnChallenge(randomBytes: (size: number) => Buffer): string {
  return randomBytes(CHALLENGE_BYTES).toString('base64url')
}

type Credentials = PasskeyRequest['credentials']

/** Asks for one of the passkeys of an account. Without `credentials`, asks for any passkey. */
export function requestOf(
  challenge: string,
  { rp_id }: Site,
  { credentials, verification }: { credentials: Credentials; verification: PasskeyRequest['user_verification'] },
): PasskeyRequest {
  return { challenge, rp_id, credentials, user_verification: verification }
}

export function creationOf(
  challenge: string,
  { rp_id }: Site,
  { brand, user, credentials }: { brand: string; user: { id: string; email: string }; credentials: Credentials },
): PasskeyCreation {
  return {
    challenge,
    rp_id,
    rp_name: brand,
    user_id: Buffer.from(user.id).toString('base64url'),
    user_name: user.email,
    algorithms: [...PASSKEY_ALGORITHMS],
    credentials,
  }
}

/** The columns of a new passkey, or `null` for an answer to another challenge or of another site. */
export async function verifiedNewPasskey(
  { log }: Pick<Deps, 'log'>,
  { credential_id, client_data, attestation_object, transports }: NewPasskey,
  challenge: string,
  { origin, rp_id }: Site,
) {
  const verified = await verifyRegistrationResponse({
    response: {
      id: credential_id,
      rawId: credential_id,
      type: 'public-key',
      response: { clientDataJSON: client_data, attestationObject: attestation_object, transports },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rp_id,
    requireUserVerification: false,
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
  }).catch((error: unknown) => logRefusal(log, error))
  if (verified?.registrationInfo === undefined) return null
  const { credential, userVerified } = verified.registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    sign_count: credential.counter,
    transports,
    is_user_verifying: userVerified,
  }
}

/** The changed columns of a passkey after its signature, or `null` for an invalid or repeated signature. */
export async function verifiedPasskey(
  { log }: Pick<Deps, 'log'>,
  { credential_id, client_data, authenticator_data, signature }: PasskeyAnswer,
  { public_key, sign_count }: Pick<SecondFactorRow, 'public_key' | 'sign_count'>,
  { challenge, site, mustVerifyUser }: { challenge: string; site: Site; mustVerifyUser: boolean },
) {
  const verified = await verifyAuthenticationResponse({
    response: {
      id: credential_id,
      rawId: credential_id,
      type: 'public-key',
      response: { clientDataJSON: client_data, authenticatorData: authenticator_data, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rp_id,
    credential: { id: credential_id, publicKey: new Uint8Array(public_key ?? []), counter: sign_count ?? 0 },
    requireUserVerification: mustVerifyUser,
  }).catch((error: unknown) => logRefusal(log, error))
  if (verified?.verified !== true) return null
  const { newCounter, userVerified } = verified.authenticationInfo
  return { sign_count: newCounter, ...(userVerified && { is_user_verifying: true }) }
}

/** Logs why a passkey was refused. The refusals of the library are plain errors; every other error may be a fault of ours. */
function logRefusal(log: Deps['log'], error: unknown): null {
  if (error instanceof Error && error.constructor === Error)
    log.info({ reason: error.message.slice(0, REASON_MAX) }, 'a passkey was refused')
  else log.warn({ err: error }, 'a passkey could not be verified')
  return null
}
