import { once } from 'node:events'
import { connect } from 'node:net'

/** Bytes that are read at once. */
const READ_MAX = 65_536

/** One connection that is kept open and costs next to nothing itself, so that what is measured is the server. */
export type RawClient = {
  /** Sends a whole request and calls back with the status of its answer once that is whole. One at a time. */
  send: (request: Buffer, onAnswer: (status: number) => void) => void
  close: () => void
}

/** Connects to a server of this machine. A connection that breaks ends the process. */
export async function rawClient(port: number): Promise<RawClient> {
  // Always read into the same memory: what a new buffer for every answer takes is missing elsewhere.
  const memory = Buffer.alloc(READ_MAX)
  let received = ''
  let answered: (status: number) => void = () => {}
  const read = (length: number) => {
    received += memory.toString('latin1', 0, length)
    if (isWhole(received)) {
      const status = Number(received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
      received = ''
      answered(status)
    }
    return true
  }
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: memory, callback: read } })
  await once(socket, 'connect')
  return {
    send: (request, onAnswer) => {
      answered = onAnswer
      socket.write(request)
    },
    close: () => socket.destroy(),
  }
}

/** A request as it goes over the wire. */
export function rawRequest(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body = ''): Buffer {
  const head = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`)
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n')
  if (head === -1) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head))?.[1]
  return answer.length >= head + 4 + Number(length ?? 0)
}
