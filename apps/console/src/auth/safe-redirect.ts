/**
 * Where to go after signing in: a path of this console, or `undefined` for anything else. An address is an easy way
 * to lead people elsewhere, so `//host`, `/\host`, other schemes and /login itself are refused.
 */
export function safeRedirect(asked: unknown, origin: string): string | undefined {
  if (typeof asked !== 'string' || !asked.startsWith('/')) return undefined
  const url = URL.parse(asked, origin)
  if (url === null || url.origin !== origin || url.pathname === '/login') return undefined
  // `/.//host` has become `//host`, a protocol-relative URL.
  if (url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
