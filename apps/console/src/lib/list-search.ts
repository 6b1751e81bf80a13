/**
 * Reads the named parameters of an address, all of them text, and leaves the rest out. Light on purpose: the router
 * needs it before anybody has signed in. Each list narrows the texts by the contract's schema when it is called.
 */
export function searchOf<const Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [Key in Name]?: string | undefined } => {
    const found: { [Key in Name]?: string } = {}
    for (const name of names) {
      const value = search[name]
      if (typeof value === 'string' && value !== '') found[name] = value
    }
    return found
  }
}

/** Parameters as plain text: `?limit=50` stays readable, where the router's own way would be JSON. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** The other way round; what is undefined or empty is left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') params.set(name, value)
  }
  return params.size === 0 ? '' : `?${params}`
}
