import * as z from 'zod/mini'

/** One invalid field: `loc` leads to it (`["body","email"]`), `msg` is the sentence people read. */
export const fieldError = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
})
export type FieldError = z.infer<typeof fieldError>

/** The answer to every refused or failed call: a sentence, or a list of invalid fields. */
export const errorBody = z.object({
  detail: z.union([z.string(), z.array(fieldError)]),
  request_id: z.optional(z.string()),
})
export type ErrorBody = z.infer<typeof errorBody>

/** The answers that any call may give besides its own. Spread into an endpoint's `response`. */
export const errorResponses = {
  '4xx': errorBody,
  '5xx': errorBody,
} as const
