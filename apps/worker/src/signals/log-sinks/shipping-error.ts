import { RefusedAddressError } from '@switchboard/server/outbound/address-guard'

/** How long a connection and a batch may take, in milliseconds. */
export const CONNECT_MS = 5_000
export const SEND_MS = 10_000

/** A batch that a sink has not confirmed. The message is a sentence for people. */
export class ShippingError extends Error {
  override readonly name = 'ShippingError'
}

/** A batch that the receiver has read and does not take. It may take a part of it. */
export class RefusedBatchError extends ShippingError {}

/** The error of a connection as a ShippingError. Other errors of the program stay as they are. */
export function shippingError(error: unknown): unknown {
  if (error instanceof RefusedAddressError) return new ShippingError(error.message, { cause: error })
  if (error instanceof DOMException && error.name === 'TimeoutError') return new ShippingError(TIMEOUT)
  // A host with several addresses has one failure for each. The first one says enough.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (cause instanceof RefusedAddressError) return new ShippingError(cause.message, { cause })
  if (!(cause instanceof Error) || !('code' in cause)) return error
  const code = String(cause.code)
  return new ShippingError(SENTENCES[code] ?? `The connection failed: ${code}.`, { cause })
}

export const CLOSED_EARLY = 'The server closed the connection before it had read everything.'
export const TIMEOUT = 'The server did not answer in time.'
export const NO_COLLECTOR = 'The answer is not that of a collector. Check the path of the address, usually /v1/logs.'
const CERTIFICATE_REFUSED = 'The server does not accept the client certificate of the log sink.'

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing answers at this address.',
  EHOSTUNREACH: 'No route leads to this address.',
  ENETUNREACH: 'No route leads to this address.',
  ENOTFOUND: 'There is no such host.',
  EAI_AGAIN: 'There is no such host.',
  ECONNRESET: CLOSED_EARLY,
  EPIPE: CLOSED_EARLY,
  UND_ERR_SOCKET: 'The server closed the connection before it had answered.',
  UND_ERR_CONNECT_TIMEOUT: TIMEOUT,
  UND_ERR_HEADERS_TIMEOUT: TIMEOUT,
  UND_ERR_BODY_TIMEOUT: TIMEOUT,
  ETIMEDOUT: TIMEOUT,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: NO_COLLECTOR,
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'The certificate of the server is self-signed. Add it, or its authority, to the log sink.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the server leads to an unknown authority. Add it to the log sink.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate of the server leads to an unknown authority. Add it to the log sink.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The certificate of the server leads to an unknown authority. Add it to the log sink.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the server is for another host.',
  CERT_HAS_EXPIRED: 'The certificate of the server has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the server is not valid yet.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The server does not speak TLS at this port.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'The server does not speak TLS at this port.',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'The server does not speak TLS 1.2 or later.',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    'The server asks for a client certificate. Add one and its key to the log sink.',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: CERTIFICATE_REFUSED,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: CERTIFICATE_REFUSED,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: CERTIFICATE_REFUSED,
}
