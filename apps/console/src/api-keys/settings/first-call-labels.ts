/**
 * A shell command that checks a key as a gateway does (docs/gateway.md), and is accepted as it stands. A key with allowed
 * origins is refused without an `Origin`.
 */
export function firstCall(aiApiUrl: string, secret: string, origins: readonly string[]): string {
  const [origin] = origins
  // A wildcard stands for any subdomain.
  const sent = origin === undefined ? [] : [`-H 'Origin: ${origin.replace('//*.', '//www.')}'`]
  return [`curl -i ${aiApiUrl}/v1/keys/authorize`, ...sent, `-H 'X-Api-Key: ${secret}'`].join(' \\\n  ')
}
