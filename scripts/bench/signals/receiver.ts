import { fork } from 'node:child_process'
import { createServer } from 'node:http'

// A receiver of webhooks in a separate process, so that it does not slow the measured processes down. It answers at once.

/** Starts a receiver on this machine. */
export async function startQuickReceiver() {
  const child = fork(new URL(import.meta.url))
  const port = await new Promise<number>((resolve) => {
    child.once('message', resolve)
  })
  return { url: `http://127.0.0.1:${port}/events`, stop: () => child.disconnect() }
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit(0))
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end())
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address !== null) process.send?.(address.port)
  })
}
