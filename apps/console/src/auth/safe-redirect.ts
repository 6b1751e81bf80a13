/**
 * The path to open after signing in: a path of this console, or `undefined` for any other address. Links could lead
 * people to other sites, so `//host`, `/\host`, other schemes and /login are refused.
 */
export function safeRedirect(asked: unknown, origin: string): string | undefined {
  if (typeof asked !== 'string' || !asked.startsWith('/')) return undefined
  const url = URL.parse(asked, origin)
  if (url === null || url.origin !== origin || url.pathname === '/login') return undefined
  // `/.//host` has become `//host`, a protocol-relative URL.
  if (url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
