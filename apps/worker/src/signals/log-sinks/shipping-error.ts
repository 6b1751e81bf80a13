import { connectionFailure } from '#src/signals/connection-failures.ts'

/** How long a connection and a batch may take, in milliseconds. */
export const CONNECT_MS = 5_000
export const SEND_MS = 10_000

/** A batch that a sink has not confirmed. The message is a sentence for people. */
export class ShippingError extends Error {
  override readonly name = 'ShippingError'
  /** The header `Retry-After` of a receiver that is overloaded. */
  readonly retryAfter: string | undefined

  constructor(message: string, { retryAfter, ...options }: ErrorOptions & { retryAfter?: string | undefined } = {}) {
    super(message, options)
    this.retryAfter = retryAfter
  }
}

/** A batch that the receiver has read and does not take. It may take a part of it. */
export class RefusedBatchError extends ShippingError {}

/** The error of a connection as a ShippingError. Other errors of the program stay as they are. */
export function shippingError(error: unknown): unknown {
  const sentence = connectionFailure(error, SENTENCES)
  return sentence === null ? error : new ShippingError(sentence, { cause: error })
}

export const CLOSED_EARLY = 'The server closed the connection before it had read everything.'
export const NO_COLLECTOR = 'The answer is not that of a collector. Check the path of the address, usually /v1/logs.'
const CERTIFICATE_REFUSED = 'The server does not accept the client certificate of the log sink.'
const UNKNOWN_AUTHORITY = 'The certificate of the server leads to an unknown authority. Add it to the log sink.'

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNRESET: CLOSED_EARLY,
  EPIPE: CLOSED_EARLY,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: NO_COLLECTOR,
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'The certificate of the server is self-signed. Add it, or its authority, to the log sink.',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    'The server asks for a client certificate. Add one and its key to the log sink.',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: CERTIFICATE_REFUSED,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: CERTIFICATE_REFUSED,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: CERTIFICATE_REFUSED,
}
