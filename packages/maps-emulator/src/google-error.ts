/** An error in Google's format (google/rpc/status.proto, google/rpc/error_details.proto). */
export class GoogleError extends Error {
  override readonly name = 'GoogleError'
  readonly code: number
  readonly body: object

  constructor(code: number, status: string, message: string, reason?: string, metadata: Record<string, string> = {}) {
    super(message)
    const info = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason,
      domain: 'googleapis.com',
      metadata: { service: 'places.googleapis.com', consumer: 'projects/1', ...metadata },
    }
    this.code = code
    this.body = { error: { code, message, status, ...(reason !== undefined && { details: [info] }) } }
  }
}

/** 400 for an invalid request. */
export function invalidArgument(message: string): GoogleError {
  return new GoogleError(400, 'INVALID_ARGUMENT', message)
}
