import { spawnSync } from 'node:child_process'
import type { Machine } from './patroni.ts'

// Machines in network namespaces of Linux, joined by a bridge, so that a test can cut their network. Needs root.

/** The address of this process on the bridge, and of etcd: a machine can be cut from one and still reach the other. */
const OWN_HOST = '10.213.7.1'
const ETCD_HOST = '10.213.7.2'
const BRIDGE = 'sbbridge'

/** `all`: the machine reaches nothing. `peers`: it reaches the programs of the product, but no other machine and no etcd. */
export type Cut = 'all' | 'peers'

export const canMakeNetworks =
  process.getuid?.() === 0 && ip('link', 'add', BRIDGE, 'type', 'bridge') && ip('link', 'del', BRIDGE)

/** Makes a network of `count` machines and etcd. */
export function makeNetwork(count: number) {
  const machines = Array.from({ length: count }, (_, n) => ({ name: `sbnode${n + 1}`, host: `10.213.7.${n + 11}` }))
  const nameOf = (host: string) => machines.find((machine) => machine.host === host)?.name ?? ''
  const peersOf = (host: string) => [ETCD_HOST, ...machines.map((machine) => machine.host).filter((it) => it !== host)]
  must('link', 'add', BRIDGE, 'type', 'bridge')
  for (const host of [OWN_HOST, ETCD_HOST]) must('addr', 'add', `${host}/24`, 'dev', BRIDGE)
  must('link', 'set', BRIDGE, 'up')
  for (const { name, host } of machines) {
    must('netns', 'add', name)
    must('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    must('link', 'set', name, 'master', BRIDGE, 'up')
    must('-n', name, 'addr', 'add', `${host}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) must('-n', name, 'link', 'set', device, 'up')
  }
  return {
    machines: machines.map(({ name, host }): Machine => ({ host, enter: ['ip', 'netns', 'exec', name] })),
    etcd: { host: ETCD_HOST, enter: [] } satisfies Machine,
    /** Cuts the network of the machine with this address. Packets vanish; no connection is reset. */
    cut(host: string, extent: Cut): void {
      if (extent === 'all') must('link', 'set', nameOf(host), 'down')
      else for (const peer of peersOf(host)) must('-n', nameOf(host), 'route', 'add', 'blackhole', `${peer}/32`)
    },
    heal(host: string, extent: Cut): void {
      if (extent === 'all') must('link', 'set', nameOf(host), 'up')
      else for (const peer of peersOf(host)) must('-n', nameOf(host), 'route', 'del', 'blackhole', `${peer}/32`)
    },
    remove(): void {
      // A namespace vanishes later, after its last process.
      for (const { name } of machines) must('link', 'del', name)
      for (const { name } of machines) must('netns', 'del', name)
      must('link', 'del', BRIDGE)
    },
  }
}

/** Runs `ip` and returns its success. */
export function ip(...args: string[]): boolean {
  return spawnSync('ip', args, { stdio: 'ignore' }).status === 0
}

/** Runs `ip`. Throws its error. */
export function must(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}
