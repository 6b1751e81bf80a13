import * as z from 'zod/mini'
import { text } from '#src/wire/text.ts'

/** Maximum number of origins of a key. */
export const ALLOWED_ORIGINS_MAX = 50
const ORIGIN_MAX = 255

/** The rule in words, shown under the field before any error. */
export const ORIGIN_RULE =
  'Comma-separated, for example https://shop.example.com. https://*.example.com allows every subdomain, but not example.com itself.'

type Parsed = { origin: string; problem?: undefined } | { origin?: undefined; problem: string }

/**
 * Normalizes a typed origin to its stored and compared form: lower case, IDNA, no default port, no
 * path. A bare host becomes https. Otherwise the problem, as a sentence.
 */
export function parseAllowedOrigin(typed: string): Parsed {
  const trimmed = typed.trim()
  if (trimmed === '*') return { problem: 'To allow any origin, leave the list empty.' }
  if (trimmed.length > ORIGIN_MAX) return { problem: `Use at most ${ORIGIN_MAX} characters.` }
  const isBare = !trimmed.includes('://')
  const [, scheme = '', wildcard = '', host = ''] =
    /^(https?):\/\/(\*\.)?([^/?#@\\\s%*]+)\/?$/i.exec(isBare ? `https://${trimmed}` : trimmed) ?? []
  const url = URL.parse(`${scheme}://${host}`)
  if (url === null || !HOST.test(url.hostname)) return { problem: problemOf(trimmed) }
  const { protocol, hostname } = url
  if (url.port === '0') return { problem: PORT_PROBLEM }
  if (isBare && !hostname.includes('.') && hostname !== 'localhost' && !hostname.startsWith('['))
    return { problem: `Write a whole origin, such as https://${trimmed}.example.com.` }
  if (wildcard !== '') return parsedWildcard(url)
  if (protocol === 'http:' && !LOCAL.has(hostname)) return { problem: 'Use https. Only localhost may do without.' }
  return { origin: url.origin }
}

/**
 * Whether a request from `origin` may use a key with these allowed origins (normalized ones). An empty list allows
 * any; otherwise a request without an origin is refused. Compares scheme, host and port as a whole.
 */
export function isOriginAllowed(allowed: readonly string[], origin: string | undefined): boolean {
  if (allowed.length === 0) return true
  if (origin === undefined) return false
  if (allowed.includes(origin)) return !origin.includes('*')
  const url = /^https?:\/\/[^/?#@\\\s%*]+$/i.test(origin) ? URL.parse(origin) : null
  return url !== null && allowed.some((one) => one === url.origin || isUnderWildcard(one, url))
}

/** The allowed origin that lets in calls from a refused origin; null for an origin that no allowed origin can match. */
export function allowedOriginFor(refused: string): string | null {
  const { origin } = parseAllowedOrigin(refused)
  return origin !== undefined && isOriginAllowed([origin], refused) ? origin : null
}

/** The host whose subdomains a normalized allowed origin allows; `null` for a single host. */
export function wildcardHost(allowed: string): string | null {
  if (!allowed.startsWith(WILDCARD)) return null
  return URL.parse(`https://${allowed.slice(WILDCARD.length)}`)?.hostname ?? null
}

/** Problem of a wildcard under a public suffix. Only the server has the full list of suffixes. */
export function publicSuffixProblem(hostname: string): string {
  return `Anybody can register a name under ${hostname}. Name a domain of your own.`
}

/** An allowed origin of a request: normalized, then validated. */
export const allowedOrigin = text(ORIGIN_MAX).check(
  z.overwrite((typed) => parseAllowedOrigin(typed).origin ?? typed),
  (ctx) => {
    const { problem } = parseAllowedOrigin(ctx.value)
    if (problem !== undefined) ctx.issues.push({ code: 'custom', input: ctx.value, message: problem })
  },
)

const PORT_PROBLEM = 'Use a port from 1 to 65535.'
const WILDCARD = 'https://*.'
/** A host as URLs write it: labels or an IPv6 address. */
const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$|^\[[0-9a-f:.]+\]$/
const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

function parsedWildcard({ protocol, hostname, host }: URL): Parsed {
  if (protocol !== 'https:') return { problem: 'A wildcard needs https.' }
  if (/^[\d.]+$|^\[/.test(hostname)) return { problem: 'A wildcard needs a domain, not an address.' }
  if (!hostname.includes('.')) return { problem: publicSuffixProblem(hostname) }
  return { origin: `https://*.${host}` }
}

function isUnderWildcard(allowed: string, { protocol, hostname, port }: URL): boolean {
  if (!allowed.startsWith(WILDCARD) || protocol !== 'https:') return false
  const base = URL.parse(`https://${allowed.slice(WILDCARD.length)}`)
  return base !== null && port === base.port && hostname.endsWith(`.${base.hostname}`)
}

function problemOf(typed: string): string {
  if (typed === '') return 'Enter an origin.'
  if (/^(null|file:|[a-z-]+-extension:)/i.test(typed)) return 'Only https origins of web pages can be allowed.'
  if (typed.includes('@')) return 'Leave off the user name.'
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(typed) && !/^https?:/i.test(typed)) return 'An origin begins with https://.'
  if (typed.includes('*')) return 'A wildcard may only stand for subdomains, as in https://*.example.com.'
  const [, host = '', port] = /^(?:https?:\/\/)?([^/?#\s:]+)(?::(\d+))?\/?$/i.exec(typed) ?? []
  if (host.endsWith('.')) return 'Leave off the dot at the end of the host.'
  if (Number(port) > 65_535) return PORT_PROBLEM
  if (/^(https?:\/\/)?[^/?#\s]+[/?#]/i.test(typed)) return 'Leave off everything after the host and port.'
  return 'This is not an origin. Write it like https://shop.example.com.'
}
