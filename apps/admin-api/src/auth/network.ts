import ipaddr from 'ipaddr.js'

/** The network of one subscriber: an IPv4 address, or the /64 of an IPv6 address, in which each host has 2⁶⁴ addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`
}
