import { connect } from 'node:net'

/**
 * Replaces the IP address of this machine with localhost, because browsers only offer passkeys for host names. The
 * address does not change if the name would lead to another program, because browsers try both 127.0.0.1 and ::1.
 */
export async function namedAddress(address: string): Promise<string> {
  const { hostname, port } = new URL(address)
  const other = { '127.0.0.1': '::1', '[::1]': '127.0.0.1' }[hostname]
  if (other === undefined || (await isListening(other, Number(port)))) return address
  return address.replace(hostname, 'localhost')
}

async function isListening(host: string, port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // The connection is refused, or this machine has no IPv6.
    socket.once('error', () => resolve(false))
  })
}
