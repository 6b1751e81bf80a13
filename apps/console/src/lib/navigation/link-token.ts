/** Tokens of opened links, by path. In memory only: after a reload, the link must be opened again. */
const tokens = new Map<string, string>()

type Location = { pathname: string; hash: string }

/**
 * Keeps the token in the fragment of a single-use link. Returns true if there was one: the caller then redirects to the
 * same page without the fragment, so that the token leaves the address before anything is shown.
 */
export function keepLinkToken({ pathname, hash }: Location): boolean {
  if (hash === '') return false
  tokens.set(pathname, hash.replace(/^#/, ''))
  return true
}

/** The token of the link that opened a page, or `null`. */
export function linkTokenOf({ location }: { location: Pick<Location, 'pathname'> }): string | null {
  return tokens.get(location.pathname) ?? null
}
