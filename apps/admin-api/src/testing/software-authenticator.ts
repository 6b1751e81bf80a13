import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { NewPasskey, PasskeyAnswer } from '@switchboard/contract/second-factors/passkeys'
import type { Site } from '#src/auth/second-factors/passkeys.service.ts'

/** Flags of the authenticator data (WebAuthn, 6.1): user present, user verified, attested credential data. */
const PRESENT = 1
const VERIFIED = 4
const ATTESTED = 64

/** An authenticator with one passkey (ES256), as a browser answers for it. Verifies its user, unless told otherwise. */
export function createAuthenticator({ origin, rp_id }: Site, { verifies = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const credential_id = id.toString('base64url')
  const flags = PRESENT + (verifies ? VERIFIED : 0)
  let count = 0

  const dataOf = (extraFlags: number, attested = Buffer.alloc(0)) => {
    count += 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    return Buffer.concat([sha256(Buffer.from(rp_id)), Buffer.from([flags + extraFlags]), counter, attested])
  }
  const clientDataOf = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin }))

  const create = (challenge: string): NewPasskey => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ])
    const length = Buffer.from([0, id.length])
    const authData = dataOf(ATTESTED, Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)]))
    const attestation = new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    return {
      credential_id,
      client_data: clientDataOf('webauthn.create', challenge).toString('base64url'),
      attestation_object: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
      transports: ['internal'],
    }
  }

  const answer = (challenge: string): PasskeyAnswer => {
    const clientData = clientDataOf('webauthn.get', challenge)
    const authData = dataOf(0)
    return {
      credential_id,
      client_data: clientData.toString('base64url'),
      authenticator_data: authData.toString('base64url'),
      signature: sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey).toString('base64url'),
    }
  }
  return { create, answer }
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
