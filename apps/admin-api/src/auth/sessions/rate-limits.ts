import { type LimitedCall, RATE_LIMIT_SECONDS, TOKEN_RATE_LIMIT } from '@switchboard/contract/auth/rate-limits'
import { type AppError, tooManyRequests } from '@switchboard/server/http/errors'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import { networkOf } from '@switchboard/sign-in/throttle'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Deps } from '#src/deps.ts'
import { actorIfAny } from '#src/auth/authenticate.service.ts'

const NOUNS: Record<LimitedCall, string> = {
  export: 'exports',
  whole_list: 'whole lists',
  selection: 'selections',
  preview: 'previews',
  password_check: 'password checks',
  run: 'runs',
  stream: 'live streams',
  change: 'changes',
}
const READ_METHODS = new Set(['GET', 'HEAD'])

/**
 * Refuses calls above a limit with 429 and `Retry-After`: the calls of a kind that a session or a service token makes in a
 * minute, all calls of a service token, and the calls of a network without a session where the endpoint names a limit. Each
 * process counts in memory, so several processes multiply the limit, and a restart resets the counts.
 */
export function limitRates(app: ZodApp, { rateLimits }: Pick<Deps, 'rateLimits'>): void {
  if (rateLimits === null) return
  const counters = new Map<LimitedCall, RateLimiterMemory>()
  const counterOf = (call: LimitedCall) =>
    counters.getOrInsertComputed(
      call,
      () => new RateLimiterMemory({ points: rateLimits[call], duration: RATE_LIMIT_SECONDS }),
    )
  const ofTokens = new RateLimiterMemory({ points: TOKEN_RATE_LIMIT, duration: RATE_LIMIT_SECONDS })
  app.addHook('onRequest', async (request, reply) => {
    const actor = actorIfAny(request)
    if (actor?.session_id === null) await limitToken(ofTokens, reply, actor.id)
    const call = limitedCallOf(request)
    const caller = actor === null ? networkOfPublicCall(request) : (actor.session_id ?? actor.id)
    if (caller === null || call === null) return
    // Unlike `consume`, `penalty` counts without a rejection.
    const { consumedPoints, msBeforeNext } = await counterOf(call).penalty(caller)
    if (consumedPoints > rateLimits[call]) throw refusal(NOUNS[call], secondsOf(msBeforeNext))
  })
}

/** Counts a call of a service token and adds the headers of draft-ietf-httpapi-ratelimit-headers. Throws 429. */
async function limitToken(counter: RateLimiterMemory, reply: FastifyReply, tokenId: string): Promise<void> {
  const { consumedPoints, msBeforeNext } = await counter.penalty(tokenId)
  const seconds = secondsOf(msBeforeNext)
  reply.headers({
    'ratelimit-policy': `"token";q=${TOKEN_RATE_LIMIT};w=${RATE_LIMIT_SECONDS}`,
    ratelimit: `"token";r=${Math.max(0, TOKEN_RATE_LIMIT - consumedPoints)};t=${seconds}`,
  })
  if (consumedPoints > TOKEN_RATE_LIMIT) throw refusal('calls', seconds)
}

/** The network of a call without a session, if its endpoint names a limit. */
function networkOfPublicCall({ ip, routeOptions: { config } }: FastifyRequest): string | null {
  return config.public === true && config.limit !== undefined ? networkOf(ip) : null
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000))
}

function limitedCallOf({ method, query, routeOptions: { config } }: FastifyRequest): LimitedCall | null {
  if (config.limit === 'none') return null
  const isPage = typeof query === 'object' && query !== null && 'limit' in query
  if (config.limit === 'whole_list' && isPage) return null
  if (config.limit !== undefined) return config.limit
  return READ_METHODS.has(method) || config.reads === true ? null : 'change'
}

function refusal(noun: string, seconds: number): AppError {
  return tooManyRequests(`Too many ${noun}. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`, seconds)
}
