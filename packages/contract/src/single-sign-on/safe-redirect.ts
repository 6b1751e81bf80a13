/**
 * The path to open after signing in: a path of this console, or `undefined` for any other URL. Refuses `//host`,
 * `/\host`, other schemes and /login, to prevent open redirects.
 */
export function safeRedirect(target: unknown, origin: string): string | undefined {
  if (typeof target !== 'string' || !target.startsWith('/')) return undefined
  const url = URL.parse(target, origin)
  if (url === null || url.origin !== origin || url.pathname === '/login') return undefined
  // `/.//host` has become `//host`, a protocol-relative URL.
  if (url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
