/** Whose calls a key with these allowed origins accepts, for browsers and for programs. */
export function callersText(origins: readonly string[]): string {
  if (origins.length === 0) return 'Without origins, every website and every program can call with the key.'
  const which = origins.length === 1 ? 'this origin' : 'one of these origins'
  return `Calls must come from ${which}. A browser names its origin by itself; a program has to send it in the Origin header.`
}
