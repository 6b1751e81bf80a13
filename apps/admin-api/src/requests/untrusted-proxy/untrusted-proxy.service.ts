import type { UntrustedProxy } from '@switchboard/contract/dashboard'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Deps } from '#src/deps.ts'

/** How long a proxy is reported after the last request through the proxy. */
const SHOWN_MS = 60 * 60 * 1_000

/**
 * Detects requests with `X-Forwarded-For` or `Forwarded` from a peer that `TRUST_PROXY` does not name, and requests
 * from a trusted proxy whose headers cannot be used. Visitors behind such a proxy share one address and its limit of
 * failed sign-ins. Logs the first untrusted proxy. Returns the last proxy seen by this process within an hour: the
 * caller's request usually comes through the same proxy.
 */
export function watchProxies(app: ZodApp, { log, now }: Pick<Deps, 'log' | 'now'>): () => UntrustedProxy | null {
  let last: { address: string; at: Date; isTrusted: boolean } | null = null
  app.addHook('onRequest', async (request) => {
    const isTrusted = request.hasUnusableAddress === true
    if (!isTrusted && !isForwardedUntrusted(request)) return
    const address = plainAddress(request.socket.remoteAddress ?? '')
    if (last === null && !isTrusted)
      log.warn({ address }, 'TRUST_PROXY does not name the proxy that requests come through')
    last = { address, at: now(), isTrusted }
  })
  return () => {
    if (last === null || now().getTime() - last.at.getTime() > SHOWN_MS) return null
    return { address: last.address, seen_at: last.at.toISOString(), advice: adviceFor(last) }
  }
}

/** The server writes the advice, because the console's files name no setting of the servers. */
function adviceFor({ address, isTrusted }: { address: string; isTrusted: boolean }): string {
  if (isTrusted)
    return `The proxy ${address} sends no X-Forwarded-For with an address. After too many failed sign-ins of one visitor, the others are refused too. Let the proxy send X-Forwarded-For.`
  return `Requests come through the proxy ${address}, whose forwarded addresses are ignored. After too many failed sign-ins of one visitor, the others are refused too. If the proxy is yours, set TRUST_PROXY=${address}.`
}

/**
 * For a trusted peer, Fastify lists more than the peer's own address in `ips`. Fastify only reads `X-Forwarded-For`.
 */
function isForwardedUntrusted({ headers, ips }: FastifyRequest): boolean {
  if (headers['x-forwarded-for'] !== undefined) return ips === undefined || ips.length < 2
  return headers.forwarded !== undefined && ips === undefined
}

/** Removes the IPv6 prefix of an IPv4 address on a dual-stack socket. */
function plainAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}
