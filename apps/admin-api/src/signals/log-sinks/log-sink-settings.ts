import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import * as contract from '@switchboard/contract/signals/log-sinks'
import type { LogSink, LogSinkKind, UpdateLogSinkBody } from '@switchboard/contract/signals/log-sinks'
import { invalidField } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'

type Settings = Pick<UpdateLogSinkBody, 'address' | 'certificate_authority' | 'headers' | 'client_certificate'>

/** The columns of these settings. Throws 422 for one that does not fit the kind, and for an address that must not be called. */
export function settingsOf(
  { addressGuard }: Pick<Deps, 'addressGuard'>,
  kind: LogSinkKind,
  { address, certificate_authority, headers, client_certificate }: Settings,
) {
  if (kind === 'file' && (address !== undefined || typeof certificate_authority === 'string'))
    throw invalidField('address', 'Files have no address: the setting AUDIT_FILES of a worker names their folder.')
  if (headers !== undefined && kind !== 'otlp') throw invalidField('headers', 'Only a collector gets headers.')
  if (client_certificate !== undefined && kind !== 'syslog')
    throw invalidField('client_certificate', 'Only a syslog server gets a client certificate.')
  if (typeof certificate_authority === 'string' && !areCertificates(certificate_authority))
    throw invalidField('certificate_authority', 'One of these certificates cannot be read. Copy them whole.')
  if (typeof client_certificate === 'string' && !isPair(client_certificate))
    throw invalidField('client_certificate', 'The certificate and the key cannot be read, or do not belong together.')
  if (address !== undefined) {
    const problem =
      contract.problemOfAddress(kind, address) ?? addressGuard.refusalOf(destinationOf(kind, address))?.message
    if (problem !== undefined) throw invalidField('address', problem)
  }
  return {
    ...(address !== undefined && { address }),
    ...(certificate_authority !== undefined && { certificate_authority }),
    ...(headers !== undefined && { header_names: headers.map(({ name }) => name) }),
  }
}

/** Whether another server would get the stored headers, which no answer shows. */
export function wouldMoveHeaders({ header_names, address: before }: LogSink, { address, headers }: Settings): boolean {
  if (header_names.length === 0 || headers !== undefined || before === null || address === undefined) return false
  return new URL(address).origin !== new URL(before).origin
}

/** The headers or the client certificate, as they are stored. Null without them. */
export function secretOf({ headers = [], client_certificate = null }: Settings): Buffer | null {
  if (client_certificate !== null) return Buffer.from(client_certificate)
  if (headers.length === 0) return null
  return Buffer.from(JSON.stringify(Object.fromEntries(headers.map(({ name, value }) => [name, value]))))
}

/** A pair of keys that signs files and verifies the signatures. */
export function newSigningKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    secret: privateKey.export({ format: 'der', type: 'pkcs8' }),
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }),
  }
}

function areCertificates(pem: string): boolean {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g)
  return certificates !== null && certificates.every((one) => isReadable(() => new X509Certificate(one)))
}

/** Whether a connection can be made with this certificate and its key. */
function isPair(pem: string): boolean {
  return isReadable(() => createSecureContext({ cert: pem, key: pem }))
}

function isReadable(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    // OpenSSL names its errors by a code.
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

function destinationOf(kind: LogSinkKind, address: string): { protocol: string; hostname: string } {
  // Syslog is sent over TLS.
  return kind === 'otlp'
    ? new URL(address)
    : { protocol: 'https:', hostname: contract.hostAndPort(address)?.host ?? '' }
}
