/** Shortest part of a secret that is hidden by itself. Shorter ones are words such as "services" and "Bearer". */
const PART_MIN = 12

/** The answer of another service without the secrets that were sent to it, which its errors may repeat. */
export function withoutSecrets(answer: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, ...secret.split(/[\s/?&=]+/).filter((part) => part.length >= PART_MIN)])
    .filter((secret) => secret.length > 1)
    .reduce((hidden, secret) => hidden.replaceAll(secret, '[secret]'), answer)
}
