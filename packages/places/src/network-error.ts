import { PlacesError, type PlacesErrorReason } from './places-error.ts'

/** The error of a call without an answer. Contains only the error code, because a library's message may contain secrets. */
export function networkError(error: unknown): PlacesError {
  if (error instanceof DOMException && error.name === 'TimeoutError') return new PlacesError('timeout')
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code'
  return new PlacesError(BY_CODE[code] ?? 'unreachable', { detail: code })
}

const BY_CODE: Readonly<Record<string, PlacesErrorReason>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too_large',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
}
