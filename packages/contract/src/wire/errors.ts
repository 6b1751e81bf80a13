import * as z from 'zod/mini'
import { keyRefusal } from '#src/api-keys/key-outcomes.ts'
import { moment } from './text.ts'

/**
 * An invalid field: `loc` is its path, `msg` a sentence for the screen.
 * @example {"loc":["body","email"],"msg":"Enter a valid email address.","type":"invalid_format"}
 */
export const fieldError = z.object({
  /** Path of the field: `["body","email"]`. */
  loc: z.array(z.union([z.string(), z.number()])),
  /** The problem as a sentence. */
  msg: z.string(),
  /** Kind of the problem, for programs. */
  type: z.string(),
})
export type FieldError = z.infer<typeof fieldError>

/** The code of an error by its status, where no other code says more. */
const CODES = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  412: 'stale',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  421: 'wrong_host',
  422: 'invalid',
  429: 'too_many_requests',
  431: 'headers_too_large',
  499: 'client_closed',
  500: 'internal',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
} as const
const CODES_BY_STATUS: Readonly<Record<number, (typeof CODES)[keyof typeof CODES]>> = CODES

/** Codes of conflicts with the state of an API key. */
export const KEY_CONFLICTS = ['key_disabled', 'key_expired', 'key_revoked', 'already_rotated', 'not_in_grace'] as const

/** Codes of a value that another record has. */
const TAKEN = ['email_taken', 'external_id_taken', 'subdomain_taken'] as const

/** Stable names of errors, for programs. A new kind of error gets a new code. */
export const errorCode = z.enum([
  ...Object.values(CODES),
  ...KEY_CONFLICTS,
  ...TAKEN,
  ...keyRefusal.options,
  'confirmation_required',
  'second_factor_required',
  'challenge_ended',
])
export type ErrorCode = z.infer<typeof errorCode>

/** The code of an error with this status, where no other code says more. */
export function codeOfStatus(status: number): ErrorCode {
  return CODES_BY_STATUS[status] ?? (status < 500 ? 'bad_request' : 'internal')
}

/**
 * The answer to every refused or failed call.
 * @example {"detail":"Tenant not found","code":"not_found"}
 */
export const errorBody = z.object({
  /** A sentence for people, or the invalid fields. */
  detail: z.union([z.string(), z.array(fieldError)]),
  /** Id of the request, as in the log. Present when the server failed. */
  request_id: z.optional(z.string()),
  /** Stable name of the error, for programs. */
  code: errorCode,
})
export type ErrorBody = z.infer<typeof errorBody>

/** The media type of an error for requests whose `Accept` has it (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json'

/**
 * The same answer for a request whose `Accept` header has `application/problem+json` (RFC 9457). Further members are those of
 * the error as JSON.
 * @example {"type":"about:blank","title":"Not Found","status":404,"detail":"Tenant not found","code":"not_found"}
 */
export const problem = z.looseObject({
  /** Always `about:blank`: `code` names the error. */
  type: z.literal('about:blank'),
  /** Name of the status. */
  title: z.string(),
  /** Status of the answer. */
  status: z.int(),
  /** A sentence for people. */
  detail: z.string(),
  /** Stable name of the error, for programs. */
  code: errorCode,
  /** The invalid fields, with status 422. */
  errors: z.optional(z.array(fieldError)),
})

/** Error answers of every endpoint. */
export const errorResponses = {
  '4xx': errorBody,
  '5xx': errorBody,
} as const

/** The last edit of a record, in the answer to a stale `If-Match`. */
export const lastEdit = {
  /** Email address of the last editor. Null if unknown. */
  changed_by: z.nullable(z.string()),
  /** Time of the last edit. Null if unknown. */
  changed_at: z.nullable(moment),
}
