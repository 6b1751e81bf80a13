import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { GoogleError, invalidArgument } from './google-error.ts'
import { PNG } from './sample-photos.ts'

/** Longer than any client waits. */
const SLOW_MS = 60_000
const HUGE_BYTES = 10 * 1_048_576

/** Faults of a call: errors of Google, then network problems. */
const ANSWERS = {
  key_invalid: keyInvalid,
  place_malformed: () => invalidArgument('Not a valid Place ID'),
  place_obsolete: () =>
    new GoogleError(404, 'NOT_FOUND', 'The provided Place ID is no longer valid. Please refresh cached Place IDs.'),
  service_disabled: () =>
    denied('SERVICE_DISABLED', 'Places API (New) has not been used in project 1 before or it is disabled.'),
  billing_disabled: () => denied('BILLING_DISABLED', 'This API method requires billing to be enabled.'),
  key_service_blocked: () => denied('API_KEY_SERVICE_BLOCKED', 'Requests to this API method are blocked.'),
  key_address_blocked: () =>
    denied('API_KEY_IP_ADDRESS_BLOCKED', 'The provided API key has an IP address restriction.'),
  key_referrer_blocked: () => denied('API_KEY_HTTP_REFERRER_BLOCKED', 'Requests from referer <empty> are blocked.'),
  quota_minute: () => exhausted('Minute', '1/min/{project}', '600'),
  quota_day: () => exhausted('Day', '1/d/{project}', '100'),
  internal: () => new GoogleError(500, 'INTERNAL', 'An internal error has occurred.'),
  unavailable: () => new GoogleError(503, 'UNAVAILABLE', 'The service is currently unavailable.'),
  deadline: () => new GoogleError(504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'),
  bad_gateway: (reply) => html(reply.code(502), 'Error 502 (Server Error)'),
  slow,
  dropped: (reply) => {
    reply.raw.destroy()
    return reply.hijack()
  },
  huge: (reply) => json(reply, JSON.stringify({ id: 'x'.repeat(HUGE_BYTES) })),
  html: (reply) => html(reply, 'Sign in to the network'),
  cut_off: (reply) => json(reply, '{"id": "ChIJ'),
  wrong_shape: (reply) => json(reply, '{"id": 7, "places": "none", "reviews": {}}'),
  svg: (reply) => reply.type('image/svg+xml').send('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
  huge_png: (reply) => reply.type('image/png').send(Buffer.concat([PNG, Buffer.alloc(HUGE_BYTES)])),
  redirect: (reply) => reply.redirect('https://www.google.com/sorry/index'),
} satisfies Record<string, (reply: FastifyReply) => GoogleError | FastifyReply | Promise<FastifyReply>>

export type Fault = keyof typeof ANSWERS
export const FAULTS: readonly Fault[] = Object.keys(ANSWERS).filter((name): name is Fault => name in ANSWERS)

const outcome = z.enum(['ok', ...FAULTS])
/** The outcome of one call; `retry_after` is sent in seconds. */
export const step = z.union([outcome, z.strictObject({ fault: outcome, retry_after: z.int().min(0).optional() })])
export type Step = z.infer<typeof step>

/** Sends the answer of a fault. Throws a GoogleError for errors of Google. */
export function answerFault(fault: Fault, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
  const answer = ANSWERS[fault](reply)
  if (answer instanceof GoogleError) throw answer
  return answer
}

/** Google's answer to an unknown key. */
export function keyInvalid(): GoogleError {
  const message = 'API key not valid. Please pass a valid API key.'
  return new GoogleError(400, 'INVALID_ARGUMENT', message, 'API_KEY_INVALID')
}

function denied(reason: string, message: string): GoogleError {
  return new GoogleError(403, 'PERMISSION_DENIED', message, reason)
}

function exhausted(period: string, unit: string, limit: string): GoogleError {
  const message = `Quota exceeded for quota metric per ${period.toLowerCase()}.`
  const metadata = { quota_limit: `RequestsPer${period}PerProject`, quota_limit_value: limit, quota_unit: unit }
  return new GoogleError(429, 'RESOURCE_EXHAUSTED', message, 'RATE_LIMIT_EXCEEDED', metadata)
}

/** Sends nothing; ends early when the client leaves. */
async function slow(reply: FastifyReply): Promise<FastifyReply> {
  await Promise.race([sleep(SLOW_MS, undefined, { ref: false }), once(reply.raw, 'close')])
  return reply.hijack()
}

function json(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=UTF-8').send(text)
}

function html(reply: FastifyReply, title: string): FastifyReply {
  return reply.type('text/html').send(`<!doctype html><title>${title}</title>`)
}
