import type { UntrustedProxy } from '@switchboard/contract/analytics'
import type { ZodApp } from '@switchboard/server/zod-app'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Deps } from '#src/deps.ts'

/** How long the last sight of a proxy is shown. Each request through it is a new one. */
const SHOWN_MS = 60 * 60 * 1_000

/**
 * Watches for requests whose `X-Forwarded-For` or `Forwarded` comes from a peer that `TRUST_PROXY` does not name: all
 * visitors behind such a proxy share one address, and so one limit of failed sign-ins. Logs the first one. Returns the
 * last one within an hour, as this process saw it: the request that asks usually comes through the same proxy.
 */
export function watchProxies(app: ZodApp, { log, now }: Pick<Deps, 'log' | 'now'>): () => UntrustedProxy | null {
  let last: { address: string; at: Date } | null = null
  app.addHook('onRequest', async (request) => {
    if (!isForwardedUntrusted(request)) return
    const address = plainAddress(request.socket.remoteAddress ?? '')
    if (last === null) log.warn({ address }, 'TRUST_PROXY does not name the proxy that requests come through')
    last = { address, at: now() }
  })
  return () => {
    if (last === null || now().getTime() - last.at.getTime() > SHOWN_MS) return null
    return { address: last.address, seen_at: last.at.toISOString(), advice: adviceFor(last.address) }
  }
}

/** The console's files name no setting of the servers, so the sentence comes from here. */
function adviceFor(address: string): string {
  return `Requests come through the proxy ${address}, whose forwarded addresses are ignored. Too many failed sign-ins of one visitor refuse others. If the proxy is yours, set TRUST_PROXY=${address}.`
}

/** Fastify lists more than the peer's own address in `ips` when the peer is trusted. It reads `X-Forwarded-For` alone. */
function isForwardedUntrusted({ headers, ips }: FastifyRequest): boolean {
  if (headers['x-forwarded-for'] !== undefined) return ips === undefined || ips.length < 2
  return headers.forwarded !== undefined && ips === undefined
}

/** An IPv4 address without the IPv6 prefix that a dual-stack socket gives it. */
function plainAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}
