import { type LookupAddress, type LookupAllOptions, lookup as resolveName } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isInNetworks } from './networks.ts'

/** An address that must not be called. The message is a sentence for people. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError'
}

/** The protocol and the host of an address, as `URL` has them. */
type Destination = { protocol: string; hostname: string }

/** Decides which network addresses may be called for people who typed a URL. */
export type AddressGuard = {
  /** Why a destination must not be called. Null for an allowed one, and for a name, whose addresses `lookup` checks. */
  refusalOf(destination: Destination): RefusedAddressError | null
  /** The `lookup` of a connection: fails if any address of the name must not be called with this protocol. */
  lookup(protocol: string): LookupFunction
}

/** `lookup` of node:dns, as far as it is used here. */
type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/** Global unicast addresses of IPv6. Outside are, for example, the IPv4-compatible ones. */
const GLOBAL_IPV6 = '2000::/3'
/** Answers to virtual machines of Azure, as 169.254.169.254 does elsewhere. */
const AZURE_PLATFORM = '168.63.129.16/32'

/**
 * A guard that allows https to public addresses, and https and http to the given networks. Private, loopback, link-local,
 * metadata, carrier-grade NAT, multicast and reserved addresses are not public, however they are written.
 */
export function createAddressGuard(networks: readonly string[], resolve: Resolve = resolveName): AddressGuard {
  const isNamed = (address: string) => networks.length > 0 && isInNetworks(address, networks)

  function refusalOfAddress(protocol: string, address: string): RefusedAddressError | null {
    if (isNamed(address)) return null
    if (!isPublic(address))
      return new RefusedAddressError(`${address} is not a public address, and not in WEBHOOK_NETWORKS.`)
    return protocol === 'https:' ? null : new RefusedAddressError(NEEDS_HTTPS)
  }

  return {
    refusalOf({ protocol, hostname }) {
      if (protocol !== 'https:' && (protocol !== 'http:' || networks.length === 0))
        return new RefusedAddressError(NEEDS_HTTPS)
      const address = hostname.replace(/^\[(.*)\]$/, '$1')
      return isIP(address) === 0 ? null : refusalOfAddress(protocol, address)
    },
    lookup: (protocol) => (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return callback(error, [])
        const refusal = addresses
          .map(({ address }) => refusalOfAddress(protocol, address))
          .find((found) => found !== null)
        if (refusal !== undefined) return callback(refusal, [])
        const [first] = addresses
        if (options.all === true || first === undefined) callback(null, addresses)
        else callback(null, first.address, first.family)
      })
    },
  }
}

const NEEDS_HTTPS = 'Plain http is allowed only to the networks in WEBHOOK_NETWORKS. Use https.'

function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  // A mapped IPv4 address is checked as what it reaches.
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  if (address.kind() === 'ipv6') return isInNetworks(text, [GLOBAL_IPV6])
  return !isInNetworks(text, [AZURE_PLATFORM])
}
