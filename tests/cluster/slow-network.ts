import { type ChildProcess, fork, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/proxies.ts'
import { ip, must } from './networks.ts'
import type { Machine } from './patroni.ts'

// A second network between machines, with delayed and lost packets, for a kernel without netem. Each machine has a TUN device.
// socat and a process of Node pass the packets of a device to the device of another machine.
// Needs root on Linux and the Debian package socat.

export type Link = {
  /** Delay of a packet in milliseconds. */
  delayMs: number
  /** Share of the lost packets. */
  loss: number
}

/** How long socat may take to make a device, in milliseconds. */
const START_MS = 5_000

/** The end of a device outside of its namespace: the ports of socat and of the relay. */
type Ports = { device: number; relay: number }

/** Starts the network. The first machine's `ownPort` leads to the socket at `socketPath`. Returns the addresses. */
export async function startSlowNetwork(
  machines: readonly Machine[],
  { link, ownPort, socketPath }: { link: Link; ownPort: number; socketPath: string },
) {
  const ports: Ports[] = []
  for (const _ of machines) ports.push({ device: await freePort(), relay: await freePort() })
  const relay = fork(import.meta.filename, [JSON.stringify({ ports, link })])
  await once(relay, 'message')
  const programs: ChildProcess[] = []
  for (const [n, { enter }] of machines.entries()) {
    const [name, namespace] = [`sbslow${n + 1}`, enter.at(-1) ?? '']
    const end = `UDP4:127.0.0.1:${ports[n]?.relay},bind=127.0.0.1:${ports[n]?.device}`
    programs.push(socat(`TUN,tun-name=${name},iff-no-pi`, end))
    for (const until = performance.now() + START_MS; !ip('link', 'show', name); await sleep(20))
      if (performance.now() > until) throw new Error('socat made no TUN device. It needs root and the package socat.')
    // The device keeps its socat outside.
    must('link', 'set', name, 'netns', namespace)
    must('-n', namespace, 'addr', 'add', `${addressOf(n)}/16`, 'dev', name)
    must('-n', namespace, 'link', 'set', name, 'up')
  }
  const listener = `TCP-LISTEN:${ownPort},bind=${addressOf(0)},fork,nodelay`
  programs.push(socat(listener, `UNIX-CONNECT:${socketPath}`, machines[0]?.enter))
  return {
    addresses: machines.map((_, n) => addressOf(n)),
    async stop(): Promise<void> {
      // A relay whose device is gone would throw.
      relay.kill('SIGKILL')
      await once(relay, 'exit')
      for (const program of programs) program.kill()
    },
  }
}

function addressOf(n: number): string {
  return `10.214.${n + 1}.1`
}

function socat(from: string, to: string, enter: readonly string[] = []) {
  const args = ['--pdeathsig', 'TERM', ...enter, 'socat', from, to]
  return spawn('setpriv', args, { stdio: 'inherit' })
}

function relayPackets(ports: readonly Ports[], { delayMs, loss }: Link): void {
  const sockets = ports.map(({ device, relay }) => {
    const socket = createSocket('udp4')
    socket.bind(relay, '127.0.0.1', () => socket.connect(device, '127.0.0.1'))
    return socket
  })
  const areReady = Promise.all(sockets.map((socket) => once(socket, 'connect')))
  void areReady.then(() => process.send?.('ready'))
  for (const socket of sockets) {
    socket.on('message', (packet) => {
      const isIPv4 = packet.readUInt8(0) >> 4 === 4
      // The destination of an IPv4 packet begins with byte 16. Its third byte counts the machines from 1.
      const target = isIPv4 ? sockets[packet.readUInt8(18) - 1] : undefined
      // Timers of equal length fire in order, so no packet overtakes another.
      if (Math.random() >= loss) setTimeout(() => target?.send(packet), delayMs)
    })
  }
}

if (import.meta.main) {
  const { ports, link }: { ports: Ports[]; link: Link } = JSON.parse(process.argv[2] ?? '')
  process.once('disconnect', () => process.exit(0))
  relayPackets(ports, link)
}
