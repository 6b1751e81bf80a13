import { once } from 'node:events'
import { connect } from 'node:net'

/** Maximum number of bytes per read. */
const READ_MAX = 65_536

/** A keep-alive connection with little overhead, so that the server dominates the measurement. */
export type RawClient = {
  /** Sends a whole request and calls back with the status after the whole answer. One request at a time. */
  send: (request: Buffer, onAnswer: (status: number) => void) => void
  close: () => void
}

/** Connects to a server of this machine. A broken connection ends the process. */
export async function rawClient(port: number): Promise<RawClient> {
  // A shared buffer: allocating a buffer per answer would cost time on the same cores.
  const memory = Buffer.alloc(READ_MAX)
  let received = ''
  let onStatus: (status: number) => void = () => {}
  const read = (length: number) => {
    received += memory.toString('latin1', 0, length)
    if (isComplete(received)) {
      const status = Number(received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
      // Our servers end a connection after many requests, so that a new process gets its share of them.
      if (/\r\nconnection: close/i.test(received)) reconnect()
      received = ''
      onStatus(status)
    }
    return true
  }
  const open = () => connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: memory, callback: read } })
  let socket = open()
  const reconnect = () => {
    socket.destroy()
    socket = open()
  }
  await once(socket, 'connect')
  return {
    send: (request, onAnswer) => {
      onStatus = onAnswer
      socket.write(request)
    },
    close: () => socket.destroy(),
  }
}

/** The bytes of a request. */
export function rawRequest(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body = ''): Buffer {
  const head = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`)
}

function isComplete(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n')
  if (head === -1) return false
  // A 304 may have the length of the text that it does not send (RFC 9110, 8.6).
  if (answer.startsWith('HTTP/1.1 304')) return true
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head))?.[1]
  return answer.length >= head + 4 + Number(length ?? 0)
}
