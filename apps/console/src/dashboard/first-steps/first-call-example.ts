/** `secret`: the masked secret of the key. `allowedOrigin`: null for a key that allows any. */
type ExampleKey = { secret: string; allowedOrigin: string | null }

/**
 * A shell command that checks a key as a gateway does (docs/gateway.md). A key with allowed origins is refused without an
 * `Origin`.
 */
export function firstCallExample(aiApiUrl: string, { secret, allowedOrigin }: ExampleKey): string {
  const origin = allowedOrigin === null ? [] : [`-H 'Origin: ${allowedOrigin.replace('//*.', '//www.')}'`]
  return [`curl -i ${aiApiUrl}/v1/keys/authorize`, ...origin, `-H 'X-Api-Key: ${secret}'`].join(' \\\n  ')
}
