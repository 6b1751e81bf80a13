import * as z from 'zod/mini'
import { text } from '#src/wire/text.ts'

/** The rule in words, shown under the field before any error. */
export const SUBDOMAIN_RULE =
  'Lowercase letters, digits and hyphens, 3 to 63 characters, not starting or ending with a hyphen.'

const RESERVED = new Set([
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'autoconfig',
  'autodiscover',
  'billing',
  'blog',
  'cdn',
  'console',
  'dashboard',
  'demo',
  'docs',
  'email',
  'ftp',
  'help',
  'imap',
  'internal',
  'localhost',
  'login',
  'mail',
  'mx',
  'ns1',
  'ns2',
  'pop',
  'root',
  'smtp',
  'staging',
  'static',
  'status',
  'support',
  'switchboard',
  'test',
  'webmail',
  'webhooks',
  'wpad',
  'www',
])

/** Lowercases, trims and turns inner whitespace into hyphens. */
export function normalizeSubdomain(typed: string): string {
  return typed.trim().toLowerCase().replace(/\s+/g, '-')
}

/** The problem with a normalized subdomain as a sentence, or `null` for a valid subdomain. */
export function subdomainProblem(subdomain: string): string | null {
  if (!/^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])?$/.test(subdomain) || subdomain.length < 3) return SUBDOMAIN_RULE
  if (subdomain.slice(2, 4) === '--') return 'A subdomain must not have "--" as its third and fourth character.'
  if (RESERVED.has(subdomain)) return `"${subdomain}" is reserved. Choose another subdomain.`
  return null
}

/** Longest subdomain: a label of a domain name. */
export const SUBDOMAIN_MAX = 63

/** Letters and signs that Unicode does not decompose into Latin letters. */
const SPELLED: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  þ: 'th',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  '&': ' and ',
}

/**
 * A valid subdomain for a tenant of this name, which may be taken: "Café Zürich & Co." becomes "cafe-zuerich-and-co". Empty
 * for a name without Latin letters and digits.
 */
export function proposedSubdomain(name: string): string {
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüßæœøðþđłı&]/g, (letter) => SPELLED[letter] ?? '')
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  const proposal = words.slice(0, SUBDOMAIN_MAX).replace(/-$/, '')
  // Too short, or reserved: "Status" becomes "status-tenant".
  return proposal === '' || subdomainProblem(proposal) === null ? proposal : `${proposal}-tenant`
}

/** A subdomain of a request: normalized, then validated. */
export const subdomain = text(200).check(z.overwrite(normalizeSubdomain), (ctx) => {
  const problem = subdomainProblem(ctx.value)
  if (problem !== null) ctx.issues.push({ code: 'custom', input: ctx.value, message: problem })
})

/** The address of a tenant's public site: its subdomain on the platform's own domain. */
export function tenantUrl(tenantSubdomain: string, platformDomain: string): string {
  return `https://${tenantSubdomain}.${platformDomain}`
}
