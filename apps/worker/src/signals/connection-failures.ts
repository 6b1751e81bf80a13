import { RefusedAddressError } from '@switchboard/server/outbound/address-guard'

/**
 * Why a connection to a receiver failed, as a sentence for people. Null for another error of the program. It has only our words and
 * a code, because the message of a library may contain secrets of the address. `special` has the sentences of one kind of receivers,
 * by code.
 */
export function connectionFailure(error: unknown, special: Readonly<Record<string, string>> = {}): string | null {
  // A host with several addresses has one failure for each. The first one says enough.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (cause instanceof RefusedAddressError) return cause.message
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return TIMEOUT
  if (!(cause instanceof Error) || !('code' in cause)) return null
  const code = String(cause.code)
  return special[code] ?? SENTENCES[code] ?? `The connection failed: ${code}.`
}

export const TIMEOUT = 'The server did not answer in time.'
const UNKNOWN_AUTHORITY = 'The certificate of the server leads to an unknown authority.'

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing answers at this address.',
  EHOSTUNREACH: 'No route leads to this address.',
  ENETUNREACH: 'No route leads to this address.',
  ENOTFOUND: 'There is no such host.',
  EAI_AGAIN: 'There is no such host.',
  ECONNRESET: 'The server closed the connection before it had answered.',
  EPIPE: 'The server closed the connection before it had answered.',
  UND_ERR_SOCKET: 'The server closed the connection before it had answered.',
  UND_ERR_CONNECT_TIMEOUT: TIMEOUT,
  UND_ERR_HEADERS_TIMEOUT: TIMEOUT,
  UND_ERR_BODY_TIMEOUT: TIMEOUT,
  ETIMEDOUT: TIMEOUT,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the server is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the server is for another host.',
  CERT_HAS_EXPIRED: 'The certificate of the server has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the server is not valid yet.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The server does not speak TLS at this port.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'The server does not speak TLS at this port.',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'The server does not speak TLS 1.2 or later.',
}
