import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { z } from 'zod'
import { makeCertificate } from './certificate.ts'

/** A record that a receiver has got: its JSON text, and the object in it. */
type Received = { text: string; record: Record<string, unknown> }

/** An answer over HTTP. Without a type it is JSON. */
type Answer = { status: number; body?: string; type?: string }

const TOO_OLD: Answer = {
  status: 200,
  body: JSON.stringify({ partialSuccess: { rejectedLogRecords: '1', errorMessage: 'too old' } }),
}

/** A receiver of the audit log on this machine. A test switches its faults on and off. */
export type LogReceiver = {
  address: string
  /** The certificate to trust, as PEM. Null without TLS. */
  certificate: string | null
  /** Everything that was received whole, in order, with repetitions. */
  received: Received[]
  /** The headers of the last request. */
  headers: Record<string, unknown>
  /** Whether the next attempt fails. By default none does. */
  fails: () => boolean
  /** Another answer of a collector to these records, which it does not keep. Null: it accepts them. */
  answers: (records: Received[]) => Answer | null
  /** Whether it takes connections, but never confirms. */
  isStuck: boolean
  close: () => Promise<void>
}

const request = z.object({
  resourceLogs: z.array(
    z.object({
      scopeLogs: z.array(z.object({ logRecords: z.array(z.object({ body: z.object({ stringValue: z.string() }) })) })),
    }),
  ),
})

const parsed = (text: string): Received => ({ text, record: z.record(z.string(), z.unknown()).parse(JSON.parse(text)) })

/**
 * A collector of OpenTelemetry. It fails in turn by 503 without keeping anything, by a lost answer after it has kept the records,
 * and by refusing a record.
 */
export async function startCollector(): Promise<LogReceiver> {
  let failures = 0
  const receiver: LogReceiver = newReceiver()
  const fail = (response: ServerResponse, keep: () => void) => {
    failures += 1
    if (failures % 3 === 0) {
      keep()
      return void response.destroy()
    }
    send(response, failures % 3 === 1 ? { status: 503, body: 'busy' } : TOO_OLD)
  }
  const send = (response: ServerResponse, { status, body, type = 'application/json' }: Answer) => {
    if (body !== undefined) response.setHeader('content-type', type)
    response.writeHead(status).end(body)
  }
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part)
    receiver.headers = incoming.headers
    const { resourceLogs } = request.parse(JSON.parse(Buffer.concat(parts).toString()))
    const records = resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
    const given = records.map(({ body }) => parsed(body.stringValue))
    const keep = () => void receiver.received.push(...given)
    if (receiver.isStuck) return
    const other = receiver.answers(given)
    if (other !== null) return send(response, other)
    if (receiver.fails()) return fail(response, keep)
    keep()
    send(response, { status: 200, body: '{"partialSuccess":{}}' })
  }
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // A sender may give up within its body.
      if (!incoming.errored) throw error
    })
  })
  const port = await listen(server)
  receiver.address = `http://127.0.0.1:${port}/v1/logs`
  receiver.close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return receiver
}

/**
 * A syslog server over TLS. It keeps the messages of a connection when the client ends it. It resets a connection in turn at
 * once, in the middle of the messages, and after it has kept them.
 */
export async function startSyslogServer(): Promise<LogReceiver> {
  let failures = 0
  const certificate = makeCertificate()
  const receiver: LogReceiver = { ...newReceiver(), certificate: certificate.cert }
  /** The connections below TLS, by the port of the client. */
  const connections = new Map<number | undefined, Socket>()
  const server = createTlsServer({ ...certificate, allowHalfOpen: true }, (socket) => {
    const parts: Buffer[] = []
    const fault = receiver.fails() ? (failures += 1) % 3 : null
    const reset = () => connections.get(socket.remotePort)?.resetAndDestroy()
    socket.on('error', () => socket.destroy())
    if (fault === 0) return void reset()
    socket.on('data', (part: Buffer) => {
      parts.push(part)
      if (fault === 1) reset()
    })
    socket.on('end', () => {
      if (receiver.isStuck) return
      receiver.received.push(...messagesOf(Buffer.concat(parts)).map(parsed))
      if (fault === 2) reset()
      else socket.end()
    })
  })
  server.on('connection', (socket: Socket) => {
    const { remotePort } = socket
    connections.set(
      remotePort,
      socket.on('close', () => connections.delete(remotePort)),
    )
  })
  server.on('tlsClientError', () => undefined)
  const port = await listen(server)
  receiver.address = `127.0.0.1:${port}`
  receiver.close = async () => {
    for (const socket of connections.values()) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  return receiver
}

function newReceiver(): LogReceiver {
  return {
    address: '',
    certificate: null,
    received: [],
    headers: {},
    fails: () => false,
    answers: () => null,
    isStuck: false,
    close: async () => undefined,
  }
}

async function listen(server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens at no port.')
  return address.port
}

/** RFC 5425: the length of each message in bytes, a space, the message. RFC 5424: seven fields before the text. */
function messagesOf(content: Buffer): string[] {
  const texts: string[] = []
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(' ', at)
    const length = Number(content.subarray(at, space).toString())
    const message = content.subarray(space + 1, space + 1 + length)
    if (message.length !== length) throw new Error('The last message is not whole.')
    const match = /^<1\d\d>1 \S+ \S+ switchboard \d+ \S{1,32} - (\{.*\})$/s.exec(message.toString())
    if (match?.[1] === undefined) throw new Error(`No message of RFC 5424: ${message.toString()}`)
    texts.push(match[1])
    at = space + 1 + length
  }
  return texts
}
