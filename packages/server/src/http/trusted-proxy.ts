import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { Log } from '#src/process/log.ts'
import type { ZodApp } from './zod-app.ts'

/** Characters that need no escape in a log, a header or a URL. UUIDs, ULIDs and trace ids have no others. */
const REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/

/** Characters at the end of a forwarding header that are read: the addresses of about twenty proxies. */
const FORWARDED_MAX = 1_000

/** The longest IPv6 address. `isIP` also takes a zone of any length behind the address. */
const ADDRESS_MAX = 45

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a trusted proxy sent forwarded addresses, but none of them can be used. */
    hasUnusableAddress?: boolean
  }
}

/** Whether an address belongs to the trusted proxies. */
function trustedPeers(trustProxy: false | string[]): (address: string | undefined) => boolean {
  const trusted = new BlockList()
  for (const network of trustProxy === false ? [] : trustProxy) {
    const [address = '', bits] = network.split('/')
    trusted.addSubnet(address, bits === undefined ? bitsOf(address) : Number(bits), familyOf(address))
  }
  return (given) => {
    const address = addressIn(given ?? '')
    return address !== null && trusted.check(address, familyOf(address))
  }
}

/**
 * The id of a request for logs, audit rows and the answer: a well-formed `X-Request-Id` from a trusted proxy, or a new
 * UUID.
 */
export function requestIds(trustProxy: false | string[]): (request: IncomingMessage) => string {
  const isTrusted = trustedPeers(trustProxy)
  return ({ headers, socket: { remoteAddress } }) => {
    const given = headers['x-request-id']
    return typeof given === 'string' && REQUEST_ID.test(given) && isTrusted(remoteAddress) ? given : randomUUID()
  }
}

type ForwardedOptions = { trustProxy: false | string[]; log: Pick<Log, 'warn'> }

/**
 * Rewrites `X-Forwarded-For` to plain addresses, so that `request.ip` is always an address. The parts up to the last
 * one without an address are dropped: the remaining parts were added by the proxies nearest to this server. Logs the
 * first unusable header of a trusted proxy, because all visitors behind that proxy share its address. Returns the
 * number of such headers.
 */
export function readForwardedFor(app: ZodApp, { trustProxy, log }: ForwardedOptions): () => number {
  const isTrusted = trustedPeers(trustProxy)
  let unusable = 0
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, socket } = request.raw
    const given = headers['x-forwarded-for']
    if (trustProxy === false || (given === undefined && headers.forwarded === undefined)) return done()
    const addresses = addressesIn([given ?? []].flat().join(','))
    if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ')
    else {
      delete headers['x-forwarded-for']
      if (isTrusted(socket.remoteAddress)) {
        request.hasUnusableAddress = true
        if (unusable === 0)
          log.warn(
            { address: socket.remoteAddress },
            'a trusted proxy sends no X-Forwarded-For with an address, so its visitors share its address',
          )
        unusable += 1
      }
    }
    done()
  })
  return () => unusable
}

/** The addresses at the end of a forwarding header, behind the last part without one. Nobody has more proxies than this. */
function addressesIn(header: string): string[] {
  const parts = header.slice(-FORWARDED_MAX).split(',')
  if (header.length > FORWARDED_MAX) parts.shift()
  const addresses: string[] = []
  for (const part of parts.toReversed()) {
    const address = addressIn(part)
    if (address === null) break
    addresses.unshift(address)
  }
  return addresses
}

/**
 * The address in a part of a forwarding header, or of a socket: without quotes, port, brackets and zone, and an IPv4
 * address without its IPv6 prefix. Null for anything else, such as `unknown`.
 */
function addressIn(part: string): string | null {
  const text = part.trim().replace(/^"(.*)"$/, '$1')
  const { bracketed, plain } = WITH_PORT.exec(text)?.groups ?? {}
  const address = (bracketed ?? plain ?? text).replace(/%[\w.~-]{1,32}$/, '')
  if (address.length > ADDRESS_MAX || isIP(address) === 0) return null
  return MAPPED.exec(address)?.[1] ?? address
}

/** Azure and some other gateways add the port of the client. */
const WITH_PORT = /^(?:\[(?<bracketed>[^\]]*)\]|(?<plain>[^:]*))(?::\d{1,5})?$/
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

function bitsOf(address: string): number {
  return isIP(address) === 4 ? 32 : 128
}
