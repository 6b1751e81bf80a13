import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request that a receiver got. */
export type ReceivedRequest = { path: string; headers: IncomingHttpHeaders; body: string; at: number }

/** The answer to a request: a status, or everything. `waitMs` is the time before it. */
type Answer = number | { status: number; headers?: Record<string, string>; body?: string; waitMs?: number }

/** A receiver of webhooks on this machine. Tests change `answer`. */
export async function startReceiver() {
  const received: ReceivedRequest[] = []
  const receiver = { answer: (_request: ReceivedRequest): Answer => 204 }
  const server = createServer((request, response) => {
    const answerTo = (body: string): void => {
      const got = { path: request.url ?? '', headers: request.headers, body, at: performance.now() }
      received.push(got)
      const answer = receiver.answer(got)
      const {
        status,
        headers = {},
        body: sent = '',
        waitMs = 0,
      } = typeof answer === 'number' ? { status: answer } : answer
      setTimeout(() => response.writeHead(status, headers).end(sent), waitMs)
    }
    // A sender may give up within its body.
    text(request).then(answerTo, () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver does not listen.')
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${address.port}/events`,
    received,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
