import {
  IDEMPOTENCY_BYTES_MAX,
  IDEMPOTENCY_HOURS,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_MAX,
  IDEMPOTENT_REPLAYED_HEADER,
  takesIdempotencyKey,
} from '@switchboard/contract/wire/idempotency'
import { AppError, conflict, tooManyRequests } from '@switchboard/server/http/errors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { accessTokenHash, bearerToken } from '@switchboard/sign-in/access-token'
import type { Deps } from '#src/deps.ts'
import { type DerivedKeys, deriveKeys } from './derived-keys.ts'
import { claimOf, deleteClaim, hasChanged, insertClaim, storeAnswer, takeOverClaim } from './idempotency.queries.ts'

const HOUR_MS = 60 * 60 * 1_000
/** After this time without an answer, the process of a call counts as lost. */
const LOST_AFTER_MS = 2 * 60 * 1_000
/** Size of a row with its indexes and without its answer, in bytes. */
const ROW_BYTES = 300
/** An answer up to this size, in bytes, is always stored. A larger one is stored only if its call took effect. */
const SMALL_ANSWER = 1_024
/**
 * Refusals after which another attempt may succeed: sign-in, rights, state, limits. The same holds for all 5xx answers.
 */
const NOT_STORED = new Set([401, 403, 409, 429])

const KEY_INVALID = `An Idempotency-Key has 1 to ${IDEMPOTENCY_KEY_MAX} visible ASCII characters.`
const KEY_OF_ANOTHER_CALL = 'This Idempotency-Key was used for another call. Use a new key for each new call.'
const IN_PROGRESS = 'A call with this Idempotency-Key is in progress. Try again in a moment.'
const ANSWER_LOST =
  'An earlier call with this Idempotency-Key took effect, but its answer was lost. Look at the record before you use a new key.'

type IdempotencyDeps = Pick<Deps, 'db' | 'now' | 'randomBytes'>
type Claim = { keys: DerivedKeys; request_id: string; caller: string }

/**
 * Makes each POST with an `Idempotency-Key` take effect once in 24 hours: a repeated call gets the stored answer. A
 * caller is its bearer token. Runs after the schema, so that an invalid body needs no new key. Each process counts the
 * stored bytes of a caller in memory, as it counts calls (rate-limits.ts).
 */
export function repeatAnswers(app: ZodApp, deps: IdempotencyDeps, bytesMax = IDEMPOTENCY_BYTES_MAX): void {
  const stored = new RateLimiterMemory({ points: bytesMax, duration: (IDEMPOTENCY_HOURS * HOUR_MS) / 1_000 })
  const claims = new WeakMap<FastifyRequest, Claim>()
  app.addHook('preHandler', async (request, reply) => {
    const key = keyOf(request)
    const token = bearerToken(request.headers.authorization)
    if (key === null || token === null) return
    const claim = {
      keys: deriveKeys(token, key),
      request_id: request.id,
      caller: accessTokenHash(token).toString('hex'),
    }
    const used = await stored.get(claim.caller)
    const isFull = used !== null && used.consumedPoints >= bytesMax
    if (isFull && (await claimOf(deps.db, claim.keys.id)) === undefined) throw tooManyBytes(used.msBeforeNext)
    const answer = await claimOrAnswer(deps, request, claim)
    if (answer === null) return void claims.set(request, claim)
    await replay(reply, answer)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const claim = claims.get(request)
    if (claim === undefined) return
    claims.delete(request)
    try {
      const bytes = await keepAnswer(deps, claim, reply.statusCode, payload)
      if (bytes > 0) await stored.penalty(claim.caller, bytes)
    } catch (error) {
      // The row keeps its claim: a repeated call finds the change in the audit log.
      request.log.error({ err: error }, 'the answer to an Idempotency-Key could not be stored')
    }
  })
}

/** The key of a call, or `null` for a call without one. Throws 422 for an invalid key. */
function keyOf({ method, headers, routeOptions: { config, schema } }: FastifyRequest): string | null {
  const key = headers[IDEMPOTENCY_KEY_HEADER]
  if (key === undefined || !takesIdempotencyKey({ method, config, produces: schema?.produces })) return null
  if (typeof key === 'string' && /^[!-~]+$/.test(key) && key.length <= IDEMPOTENCY_KEY_MAX) return key
  throw new AppError(422, KEY_INVALID)
}

type Answer = { status: number; body: string }

/**
 * Claims the key for this call and returns `null`, or returns the stored answer of an earlier call. Throws 422 for a key of
 * another call, and 409 while the earlier call is in progress or after its answer was lost.
 */
async function claimOrAnswer(
  { db, now }: IdempotencyDeps,
  { url, body }: FastifyRequest,
  { keys, request_id }: Claim,
): Promise<Answer | null> {
  const at = now()
  const before = (ms: number) => new Date(at.getTime() - ms)
  const fingerprint = keys.fingerprint(JSON.stringify([url, body ?? null]))
  const claim = { id: keys.id, fingerprint, request_id, claimed_at: at }
  if (await insertClaim(db, claim, before(IDEMPOTENCY_HOURS * HOUR_MS))) return null
  const found = await claimOf(db, keys.id)
  if (found === undefined) throw inProgress()
  if (!found.fingerprint.equals(fingerprint)) throw new AppError(422, KEY_OF_ANOTHER_CALL)
  if (found.status !== null && found.answer !== null)
    return { status: found.status, body: keys.decrypt(found.answer, found.status) }
  if (Date.parse(found.claimed_at) > before(LOST_AFTER_MS).getTime()) throw inProgress()
  // The lost process may have committed its change: every change has a row of the audit log in its own transaction.
  if (await hasChanged(db, found.request_id)) throw conflict(ANSWER_LOST)
  if (await takeOverClaim(db, claim, found.request_id)) return null
  throw inProgress()
}

async function replay(reply: FastifyReply, { status, body }: Answer): Promise<void> {
  reply.code(status).header(IDEMPOTENT_REPLAYED_HEADER, 'true')
  if (body !== '') reply.type('application/json; charset=utf-8')
  await reply.send(body === '' ? null : body)
}

/**
 * Stores an answer, or releases the key if a repeated call may get another answer or does no harm. Returns the number
 * of stored bytes.
 */
async function keepAnswer(
  { db, randomBytes }: IdempotencyDeps,
  { keys, request_id }: Claim,
  status: number,
  payload: unknown,
): Promise<number> {
  const body = payload ?? ''
  const row = { id: keys.id, request_id }
  const isKept = status < 500 && !NOT_STORED.has(status) && typeof body === 'string'
  if (!isKept || (body.length > SMALL_ANSWER && !(await hasChanged(db, request_id)))) {
    await deleteClaim(db, row)
    return 0
  }
  const answer = keys.encrypt(body, status, randomBytes)
  await storeAnswer(db, row, { status, answer })
  return ROW_BYTES + answer.length
}

function tooManyBytes(ms: number): AppError {
  const hours = Math.ceil(ms / HOUR_MS)
  return tooManyRequests(
    `Too many answers are kept for your Idempotency-Keys. Send the call without a key, or try again in ${hours} ${hours === 1 ? 'hour' : 'hours'}.`,
    Math.ceil(ms / 1_000),
  )
}

function inProgress(): AppError {
  return new AppError(409, IN_PROGRESS, { headers: { 'retry-after': '1' } })
}
