import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { ZodApp } from './zod-app.ts'

/** Characters that need no escape in a log, a header or a URL. UUIDs, ULIDs and trace ids have no others. */
const REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/

/** The longest IPv6 address. `isIP` also takes a zone of any length behind the address. */
const ADDRESS_MAX = 45

/**
 * The id of a request for logs, audit rows and the answer: a well-formed `X-Request-Id` from a trusted proxy, or a new
 * UUID.
 */
export function requestIds(trustProxy: false | string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList()
  for (const network of trustProxy === false ? [] : trustProxy) {
    const [address = '', bits] = network.split('/')
    trusted.addSubnet(address, bits === undefined ? bitsOf(address) : Number(bits), familyOf(address))
  }
  return ({ headers, socket: { remoteAddress } }) => {
    const given = headers['x-request-id']
    const isTrusted =
      typeof given === 'string' &&
      REQUEST_ID.test(given) &&
      remoteAddress !== undefined &&
      trusted.check(remoteAddress, familyOf(remoteAddress))
    return isTrusted ? given : randomUUID()
  }
}

/**
 * Removes the parts of `X-Forwarded-For` up to the last part that is no IP address, so `request.ip` is always an
 * address. The remaining parts were added by the proxies nearest to this server.
 */
export function sanitizeForwardedFor(app: ZodApp): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const given = headers['x-forwarded-for']
    if (typeof given === 'string') {
      const parts = given.split(',').map((part) => part.trim())
      const valid = parts.slice(parts.findLastIndex((part) => !isAddress(part)) + 1)
      if (valid.length === 0) delete headers['x-forwarded-for']
      else headers['x-forwarded-for'] = valid.join(', ')
    }
    done()
  })
}

function isAddress(text: string): boolean {
  return text.length <= ADDRESS_MAX && isIP(text) !== 0
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

function bitsOf(address: string): number {
  return isIP(address) === 4 ? 32 : 128
}
