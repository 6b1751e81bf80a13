/**
 * The paths that programs call thousands of times a second. Their answers have no headers for browsers and are not
 * compressed, and success is counted in the metrics but not logged.
 */
export type BusyPaths = {
  /** The pattern of the busy route of an address, or undefined. */
  routeOf: (url: string | undefined) => string | undefined
}

/** The busy paths for patterns without parameters, or with one at the end: `/v1/prompts/:prompt_type`. */
export function busyPathsOf(patterns: readonly string[]): BusyPaths {
  const exact = new Set(patterns)
  const below = patterns.flatMap((pattern) => {
    const [start = '', parameter] = pattern.split(':')
    return parameter === undefined ? [] : [{ pattern, start }]
  })
  return {
    routeOf: (url = '') => (exact.has(url) ? url : below.find(({ start }) => url.startsWith(start))?.pattern),
  }
}
