const list = new Intl.ListFormat('en-US')

/** The calls that allowed origins let in: "Accepts calls from https://a.example and https://b.example." */
export function letInText(origins: readonly string[]): string {
  return `Accepts calls from ${origins.length === 0 ? 'any website and from servers' : list.format(origins)}.`
}
