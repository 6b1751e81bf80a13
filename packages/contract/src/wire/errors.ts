import * as z from 'zod/mini'
import { moment } from './text.ts'

/** An invalid field: `loc` is its path (`["body","email"]`), `msg` a sentence for the screen. */
export const fieldError = z.object({
  /** Path of the field: `["body","email"]`. */
  loc: z.array(z.union([z.string(), z.number()])),
  /** The problem as a sentence. */
  msg: z.string(),
  /** Kind of the problem, for programs. */
  type: z.string(),
})
export type FieldError = z.infer<typeof fieldError>

/** The answer to every refused or failed call: a sentence, or a list of invalid fields. `reason` is a stable code, where a client reacts to it. */
export const errorBody = z.object({
  /** A sentence for people, or the invalid fields. */
  detail: z.union([z.string(), z.array(fieldError)]),
  /** Id of the request, as in the log. Present when the server failed. */
  request_id: z.optional(z.string()),
  /** A stable name of some refusals, for programs. */
  reason: z.optional(z.string()),
})
export type ErrorBody = z.infer<typeof errorBody>

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
