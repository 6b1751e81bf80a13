import { STATUS_CODES } from 'node:http'
import { errorBody, type problem, PROBLEM_TYPE } from '@switchboard/contract/wire/errors'
import * as z from 'zod/mini'
import type { ZodApp } from './zod-app.ts'

/**
 * Answers errors as `application/problem+json` to requests whose `Accept` header has this type (RFC 9457). Belongs after the
 * hooks that keep answers, which keep them as JSON.
 */
export function answerProblems(app: ZodApp): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isProblem = reply.statusCode >= 400 && request.headers.accept?.includes(PROBLEM_TYPE) === true
    const answer = isProblem && typeof payload === 'string' ? problemOf(reply.statusCode, payload) : null
    if (answer === null) return done(null, payload)
    reply.type(`${PROBLEM_TYPE}; charset=utf-8`)
    done(null, JSON.stringify(answer))
  })
}

/** Health checks answer without an error body. */
const anyError = z.extend(z.looseObject({}), errorBody.shape)

function problemOf(status: number, json: string): z.infer<typeof problem> | null {
  const { data } = anyError.safeParse(JSON.parse(json))
  if (data === undefined) return null
  const { detail, ...others } = data
  const texts =
    typeof detail === 'string'
      ? { detail }
      : { detail: detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join(' '), errors: detail }
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, ...texts, ...others }
}
