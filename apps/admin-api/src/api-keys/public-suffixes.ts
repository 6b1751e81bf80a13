import { publicSuffixProblem, wildcardHost } from '@switchboard/contract/api-keys/allowed-origins'
import { invalidField } from '@switchboard/server/http/errors'
import { getPublicSuffix } from 'tldts'

/**
 * Throws 422 for a wildcard directly under an entry of the Public Suffix List
 * (publicsuffix.org), private suffixes included, because anyone can register names there. Takes normalised origins.
 */
export function refusePublicWildcards(origins: readonly string[]): void {
  const suffix = origins
    .map(wildcardHost)
    .find((host) => host !== null && getPublicSuffix(host, { allowPrivateDomains: true }) === host)
  if (suffix) throw invalidField('allowed_origins', publicSuffixProblem(suffix))
}
