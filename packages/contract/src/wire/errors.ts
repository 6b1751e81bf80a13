import * as z from 'zod/mini'

/** An invalid field: `loc` is its path (`["body","email"]`), `msg` a sentence for the screen. */
export const fieldError = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
})
export type FieldError = z.infer<typeof fieldError>

/** The answer to every refused or failed call: a sentence, or a list of invalid fields. `reason` is a stable code, where a client reacts to it. */
export const errorBody = z.object({
  detail: z.union([z.string(), z.array(fieldError)]),
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
