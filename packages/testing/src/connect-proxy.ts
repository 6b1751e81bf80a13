import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'

type ProxyOptions = {
  /** Ports of this machine by the hosts that the proxy leads to. Other hosts are refused with 502. */
  ports: Readonly<Record<string, number>>
  /** `user:password`. Without it, the proxy accepts everybody. */
  credentials?: string
}

/** A real HTTP proxy on loopback that tunnels to services on this machine with CONNECT, and records the targets. */
export async function startConnectProxy({ ports, credentials }: ProxyOptions) {
  const targets: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connection', (socket: Socket) => void sockets.add(socket.on('close', () => sockets.delete(socket))))
  server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket, head: Buffer) => {
    targets.push(url)
    client.on('error', () => client.destroy())
    const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`
    const port = ports[url.replace(/:\d+$/, '')]
    const refusal =
      headers['proxy-authorization'] === expected ? '502 Bad Gateway' : '407 Proxy Authentication Required'
    if (headers['proxy-authorization'] !== expected || port === undefined)
      return void client.end(`HTTP/1.1 ${refusal}\r\n\r\n`)
    const service = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      service.write(head)
      service.pipe(client).pipe(service)
    })
    service.on('error', () => client.destroy())
    client.on('close', () => service.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://${credentials === undefined ? '' : `${credentials}@`}127.0.0.1:${port}`,
    /** Host and port of each CONNECT. */
    targets,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
