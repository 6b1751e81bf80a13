/** An error in Google's format (google/rpc/status.proto, google/rpc/error_details.proto). */
export class GoogleError extends Error {
  override readonly name = 'GoogleError'
  readonly code: number
  readonly status: string
  readonly reason: string | undefined
  readonly metadata: Readonly<Record<string, string>>

  constructor(
    code: number,
    status: string,
    message: string,
    more: { reason?: string; metadata?: Record<string, string> } = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.reason = more.reason
    this.metadata = { service: 'places.googleapis.com', consumer: 'projects/1', ...more.metadata }
  }

  get body() {
    const { code, message, status, reason, metadata } = this
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com', metadata }
    return { error: { code, message, status, ...(reason !== undefined && { details: [info] }) } }
  }
}

/** 400 for an invalid request. */
export function invalidArgument(message: string): GoogleError {
  return new GoogleError(400, 'INVALID_ARGUMENT', message)
}
