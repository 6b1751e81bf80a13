const list = new Intl.ListFormat('en-US')

/** The callers that allowed origins let in: "Calls from https://a.example and https://b.example." */
export function letInText(origins: readonly string[]): string {
  return origins.length === 0 ? 'Calls from any website and from servers.' : `Calls from ${list.format(origins)}.`
}
