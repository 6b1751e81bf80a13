import { SSO_CODE_SECONDS, SSO_MINUTES } from '@switchboard/contract/single-sign-on'
import type { FastifyRequest } from 'fastify'

/**
 * The cookie that binds a single sign-on to its browser, against a sign-in that another person has begun. With https its name has
 * the prefix `__Host-`: a site on a subdomain cannot set such a cookie.
 */
export function browserCookie(publicUrl: string | undefined) {
  const isSecure = publicUrl?.startsWith('https:') === true
  const name = isSecure ? '__Host-sso' : 'sso'
  const pattern = new RegExp(`(?:^|; )${name}=([\\w-]{43})(?:;|$)`)
  const header = (value: string, seconds: number) => ({
    'set-cookie': `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  })
  return {
    /** The secret of this browser, or `null`. */
    read: ({ headers }: FastifyRequest): string | null => pattern.exec(headers.cookie ?? '')?.[1] ?? null,
    /** The headers that keep the secret until the code of a sign-in has expired; none for `null`. */
    set: (secret: string | null) => (secret === null ? {} : header(secret, SSO_MINUTES * 60 + SSO_CODE_SECONDS)),
    clear: () => header('', 0),
  }
}
