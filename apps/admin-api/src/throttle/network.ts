import ipaddr from 'ipaddr.js'

/** Network of a subscriber: an IPv4 address, or an IPv6 /64, because a host can use all 2⁶⁴ addresses of its /64. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`
}
