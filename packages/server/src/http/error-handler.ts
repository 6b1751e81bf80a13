import type { ErrorBody, FieldError } from '@switchboard/contract/wire/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, type ZodFastifySchemaValidationError } from 'fastify-type-provider-zod'
import { AppError, databaseError } from './errors.ts'
import { CLIENT_CLOSED } from './on-end.ts'

/** Maximum number of invalid fields in an answer, and of characters in each step of a location. */
const PROBLEMS_MAX = 20
const STEP_MAX = 100

/** Turns an error into its answer. The only function that writes error answers. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('x-request-id', request.id)
  if (hasZodFastifySchemaValidationErrors(error)) {
    const part = 'validationContext' in error ? error.validationContext : undefined
    const detail = error.validation.slice(0, PROBLEMS_MAX).flatMap((problem) => fieldErrors(problem, part ?? 'body'))
    return reply.code(422).send({ detail: detail.slice(0, PROBLEMS_MAX), code: 'invalid' } satisfies ErrorBody)
  }
  const refusal = asRefusal(error)
  if (refusal !== null) {
    return reply
      .code(refusal.statusCode)
      .headers(refusal.headers)
      .send({ detail: refusal.message, code: refusal.code, ...refusal.extra })
  }
  // The client disconnected during its body. The answer is for the log only.
  if (request.raw.destroyed && !request.raw.complete)
    return reply
      .code(CLIENT_CLOSED)
      .send({ detail: 'The client closed the connection.', code: 'client_closed' } satisfies ErrorBody)
  request.log.error({ err: error }, 'unexpected error')
  return reply
    .code(500)
    .send({ detail: 'Internal error', request_id: request.id, code: 'internal' } satisfies ErrorBody)
}

/** Returns the refusal for an error, or `null` for a bug. */
export function asRefusal(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  const ofDatabase = databaseError(error)
  if (ofDatabase !== null) return ofDatabase
  if (isFastifyError(error) && error.statusCode !== undefined && error.statusCode < 500) {
    return new AppError(error.statusCode, FASTIFY_SENTENCES[error.code] ?? 'The request cannot be read.')
  }
  return null
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('FST_')
}

const FASTIFY_SENTENCES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request body is larger than 256 kB.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send the request body as application/json.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request body does not have the length that its header says.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON.',
  FST_ERR_BAD_URL: 'The address is not valid.',
}

/** `{loc: ["body", "email"], msg, type}`, with one error for each unknown key. */
function fieldErrors(
  { instancePath, keyword, message, params }: ZodFastifySchemaValidationError,
  part: string,
): FieldError[] {
  const steps = instancePath.split('/').filter((step) => step !== '')
  const loc = [part, ...steps.map((step) => step.slice(0, STEP_MAX))]
  const unknownKeys = keyword === 'unrecognized_keys' && Array.isArray(params['keys']) ? params['keys'] : []
  if (unknownKeys.length > 0)
    return unknownKeys.slice(0, PROBLEMS_MAX).map((key) => ({
      loc: [...loc, String(key).slice(0, STEP_MAX)],
      msg: 'This field is unknown.',
      type: keyword,
    }))
  return [{ loc, msg: message ?? 'This value is not valid.', type: keyword }]
}
