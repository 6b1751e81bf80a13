/**
 * Longest email address in octets, as a mail server gets it (RFC 5321, 4.5.3.1.3: a path of 256 with its angle
 * brackets).
 */
export const EMAIL_MAX = 254
/** Longest part before the "@", in octets (RFC 5321, 4.5.3.1.1). */
const LOCAL_MAX = 64

// RFC 6531, 3.3 extends every rule of RFC 5321 to characters beyond ASCII. Invisible characters are refused.
const DOT_STRING = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u
const QUOTED_STRING = /^"(?:[ !#-[\]-~\u0080-\u{10ffff}]|\\[ -~])*"$/u
const TYPED_DOMAIN = /^[A-Za-z\d.\u0080-\u{10ffff}-]+$/u
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]|[^\P{Zs} ]/u
/** The last label of a domain is never a number, which tells a domain from an IPv4 address. */
const ASCII_DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/

/**
 * Whether mail servers deliver to an address: RFC 5321 with quoted local parts, internationalized domains and the
 * characters of RFC 6531. Address literals (`ada@[192.0.2.1]`) are refused, because they name a machine and not a
 * person.
 */
export function isEmailAddress(typed: string): boolean {
  return partsOf(typed) !== null
}

/**
 * Folds an email address for comparison: lower case, the domain in ASCII, no needless quotes. Two addresses of one
 * mailbox are equal in this form. Any other text is only trimmed and lowercased.
 */
export function foldEmail(typed: string): string {
  const parts = partsOf(typed.trim())
  if (parts === null) return typed.trim().toLowerCase()
  return `${foldLocal(parts.local)}@${parts.domain}`
}

/** The part before the "@" as typed, and the domain in ASCII. */
function partsOf(typed: string): { local: string; domain: string } | null {
  const at = typed.lastIndexOf('@')
  if (at === -1) return null
  const [local, domain] = [typed.slice(0, at), asciiDomain(typed.slice(at + 1))]
  if (domain === null || UNSEEN.test(local) || !(DOT_STRING.test(local) || QUOTED_STRING.test(local))) return null
  const octets = new TextEncoder().encode(local).length
  return octets > LOCAL_MAX || octets + 1 + domain.length > EMAIL_MAX ? null : { local, domain }
}

/** A domain in ASCII and lower case (`bücher.example` is `xn--bcher-kva.example`), or null for any other text. */
function asciiDomain(typed: string): string | null {
  // Words of some scripts contain joiners. The conversion checks their positions.
  if (!TYPED_DOMAIN.test(typed) || UNSEEN.test(typed.replaceAll(/[\u200c\u200d]/g, ''))) return null
  // Browsers and servers convert a domain in a URL.
  const ascii = /^\p{ASCII}*$/u.test(typed) ? typed.toLowerCase() : URL.parse(`http://${typed}`)?.hostname
  return ascii !== undefined && ASCII_DOMAIN.test(ascii) ? ascii : null
}

function foldLocal(local: string): string {
  const folded = local.toLowerCase().normalize('NFC')
  if (!folded.startsWith('"')) return folded
  const content = folded.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  return DOT_STRING.test(content) ? content : `"${content.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
