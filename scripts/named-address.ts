import { connect } from 'node:net'

/**
 * An address of this machine by the name localhost, because browsers offer passkeys to names only. Unchanged where the name
 * would lead to another program: browsers try both 127.0.0.1 and ::1.
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
    // Refused, or a machine without IPv6.
    socket.once('error', () => resolve(false))
  })
}
