import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

// A TCP relay that delays and loses, in a process of its own: the link between two sites, on machines whose kernel has no
// netem. A segment that is lost holds back everything after it in its direction until TCP has sent it again. Lost
// acknowledgements are not modeled: the next one covers them.

export type Link = {
  /** Delay of each direction in milliseconds. */
  delayMs: number
  /** Share of the lost segments. */
  loss: number
}

const SEGMENT_BYTES = 1_448
/** Smallest time after which Linux sends a segment again, in addition to the round trip; twice as long each time. */
const RETRANSMIT_MS = 200

/** Starts a relay from a free port of `host` to a socket of PostgreSQL. Returns the port. */
export async function startSlowLink(host: string, socket: string, link: Link) {
  const child: ChildProcess = fork(import.meta.filename, [host, socket, String(link.delayMs), String(link.loss)])
  const [port]: unknown[] = await once(child, 'message')
  return { port: Number(port), stop: () => child.disconnect() }
}

function serve(host: string, socket: string, link: Link): void {
  const server = createServer((client) => {
    const target = connect(socket)
    forward(client, target, link)
    forward(target, client, link)
  })
  server.listen(0, host, () => {
    const address = server.address()
    if (typeof address === 'object' && address !== null) process.send?.(address.port)
  })
}

function forward(from: Socket, to: Socket, { delayMs, loss }: Link): void {
  let arrivesAt = 0
  const acts: (() => void)[] = []
  // Timers of different lengths may fire out of order, so each one does whatever is first.
  const later = (act: () => void) => {
    acts.push(act)
    setTimeout(() => acts.shift()?.(), Math.max(1, arrivesAt - performance.now()))
  }
  from.setNoDelay(true)
  from.on('data', (bytes) => {
    arrivesAt = Math.max(arrivesAt, performance.now() + delayMs)
    for (let sent = 0; sent < bytes.length; sent += SEGMENT_BYTES) {
      let wait = RETRANSMIT_MS + 2 * delayMs
      for (; Math.random() < loss; wait *= 2) arrivesAt += wait
    }
    later(() => to.write(bytes))
  })
  from.on('end', () => later(() => to.end()))
  from.on('error', () => to.destroy())
  from.on('close', () => later(() => to.destroy()))
}

if (import.meta.main) {
  const [host = '', socket = '', delayMs, loss] = process.argv.slice(2)
  process.once('disconnect', () => process.exit(0))
  serve(host, socket, { delayMs: Number(delayMs), loss: Number(loss) })
}
