/**
 * When a retry can help: `transient` in a moment, `later` at a known time (a day's quota), `permanent` only after a
 * change of the request, `platform` only after a change by operators, such as a new key.
 */
type PlacesErrorKind = 'transient' | 'later' | 'permanent' | 'platform'

/** Stable reason codes, to be stored and compared. */
export type PlacesErrorReason = keyof typeof REASONS

/** A failed call to Google. `message` is for logs and contains neither the key nor text from Google. */
export class PlacesError extends Error {
  override readonly name = 'PlacesError'
  readonly reason: PlacesErrorReason
  /** Milliseconds until a retry, given by Google or the calendar. */
  readonly retryAfterMs: number | undefined

  constructor(reason: PlacesErrorReason, more: { detail?: string; retryAfterMs?: number | undefined } = {}) {
    super(more.detail === undefined ? reason : `${reason} (${more.detail})`)
    this.reason = reason
    this.retryAfterMs = more.retryAfterMs
  }

  get kind(): PlacesErrorKind {
    return REASONS[this.reason][0]
  }

  /** The reason as a sentence for people. */
  get sentence(): string {
    return REASONS[this.reason][1]
  }
}

const REASONS = {
  not_configured: ['platform', 'Google Maps is not configured.'],
  key_invalid: ['platform', "The platform's Google key is wrong. Ask operations."],
  service_disabled: [
    'platform',
    "Places API (New) is not enabled for the platform's Google project. Ask operations to enable it.",
  ],
  billing_disabled: ['platform', "Billing is off for the platform's Google project. Ask operations."],
  project_suspended: ['platform', "The platform's Google project is suspended. Ask operations."],
  key_service_blocked: [
    'platform',
    "The platform's Google key is not allowed to use Places API (New). Ask operations.",
  ],
  key_address_blocked: [
    'platform',
    "The platform's Google key is not allowed from this server's address. Ask operations.",
  ],
  key_referrer_blocked: [
    'platform',
    "The platform's Google key is one for browsers and cannot be used by a server. Ask operations.",
  ],
  refused: ['platform', "Google refuses the platform's key. Ask operations."],
  place_malformed: ['permanent', 'This place ID is malformed. Generate it again.'],
  place_obsolete: ['permanent', 'This place ID is no longer valid. Generate it again.'],
  bad_request: ['platform', 'Google did not understand the request. Report this to the developers.'],
  redirected: ['platform', 'Google Maps redirects the request. Ask operations to check the address in the settings.'],
  quota_day: ['later', "Today's Google quota is used up. It is renewed at midnight Pacific time."],
  quota_minute: ['transient', "Google's limit of requests per minute is reached. Try again in a minute."],
  unavailable: ['transient', 'Google Maps has a fault at the moment. Try again later.'],
  unreachable: ['transient', 'Google Maps cannot be reached. Try again later.'],
  timeout: ['transient', 'Google Maps did not answer in time. Try again later.'],
  unreadable: ['transient', 'The answer of Google Maps cannot be read. Try again later.'],
  too_large: ['transient', 'The answer of Google Maps is too large. Try again later.'],
} as const satisfies Record<string, readonly [PlacesErrorKind, string]>

/** The error of a call without an answer. Contains only the error code, because a library's message may contain secrets. */
export function networkError(error: unknown): PlacesError {
  if (error instanceof DOMException && error.name === 'TimeoutError') return new PlacesError('timeout')
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code'
  return new PlacesError(BY_CODE[code] ?? 'unreachable', { detail: code })
}

const BY_CODE: Readonly<Record<string, PlacesErrorReason>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too_large',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
}
