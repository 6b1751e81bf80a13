import { z } from 'zod'

/** A setting for an origin that needs https, unless it is on this machine. */
export function secureOrigin(example: string) {
  return z.string().refine(isSecureOrigin, `must be an https origin, such as ${example}, or an origin on this machine`)
}

/** Whether a text is an https address, or an http address on this machine. */
export function isSecureUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && isSecureOrigin(url.origin)
}

/** Whether a text is an origin in its normalized form. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

function isSecureOrigin(text: string): boolean {
  return isOrigin(text) && (text.startsWith('https:') || /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|$)/.test(text))
}
