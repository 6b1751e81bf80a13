import ipaddr from 'ipaddr.js'

/** A network in CIDR notation; an address becomes the network that contains only this address. */
export function cidrOf(network: string): string {
  if (network.includes('/')) return network
  return `${network}/${ipaddr.parse(network).kind() === 'ipv4' ? 32 : 128}`
}

/** Whether an address is in one of the networks. Without networks, every address is. An IPv4 address may be mapped to IPv6. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return networks.some((network) => {
    const [range, bits] = ipaddr.parseCIDR(network)
    return parsed.kind() === range.kind() && parsed.match(range, bits)
  })
}
