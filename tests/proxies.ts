import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { dataFolder } from './server-process.ts'

/** Debian installs servers in a folder on root's PATH only. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` }

/** The command and the configuration file that run each proxy in the foreground, in a separate folder. */
const PROXIES = {
  nginx: {
    language: 'nginx',
    version: '-v',
    args: (folder: string) => ['-p', folder, '-c', 'nginx.conf'],
    file: 'nginx.conf',
    configuration: (text: string) =>
      `daemon off; pid nginx.pid; error_log stderr crit; events { worker_connections 4096; } http { access_log off; ${text} }`,
  },
  haproxy: {
    language: 'haproxy',
    version: '-v',
    args: (folder: string) => ['-db', '-q', '-f', path.join(folder, 'haproxy.cfg')],
    file: 'haproxy.cfg',
    configuration: (text: string) => text,
  },
  caddy: {
    language: 'caddyfile',
    version: 'version',
    args: (folder: string) => ['run', '--adapter', 'caddyfile', '--config', path.join(folder, 'Caddyfile')],
    file: 'Caddyfile',
    configuration: (text: string) => `{\n\tadmin off\n\tauto_https off\n\tlog {\n\t\toutput discard\n\t}\n}\n${text}`,
  },
}
export type Proxy = keyof typeof PROXIES

export function isInstalled(proxy: Proxy): boolean {
  return spawnSync(proxy, [PROXIES[proxy].version], { env }).error === undefined
}

/**
 * Runs the proxy with its configuration from a page in docs. `ports` replace the documented ports, and `changed` replaces
 * other settings. Returns a function that stops the proxy.
 */
export function startProxy(
  proxy: Proxy,
  page: string,
  ports: Readonly<Record<string, number>>,
  changed = (text: string) => text,
): () => Promise<void> {
  const folder = dataFolder()
  const { language, args, file, configuration } = PROXIES[proxy]
  mkdirSync(path.join(folder, 'logs'))
  writeFileSync(path.join(folder, file), `${configuration(changed(withPorts(blockOf(page, language), ports)))}\n`)
  // Caddy keeps its files in the folders of XDG.
  const child = spawn(proxy, args(folder), {
    env: { ...env, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The first block of code in `language` on a page in docs. */
export function blockOf(page: string, language: string): string {
  const text = readFileSync(path.resolve(import.meta.dirname, '../docs', page), 'utf8')
  const [, block] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text) ?? []
  if (block === undefined) throw new Error(`docs/${page} has no block of ${language}.`)
  return block
}

/** Tests listen on loopback only, the documentation on all interfaces. */
const LOOPBACK_PREFIXES: Readonly<Record<string, string>> = { 'listen ': 'listen 127.0.0.1:', ':': 'http://127.0.0.1:' }

function withPorts(text: string, ports: Readonly<Record<string, number>>): string {
  return text.replaceAll(/(^:|listen |127\.0\.0\.1:)(\d+)/gm, (_, before: string, port: string) => {
    const testPort = ports[port]
    if (testPort === undefined) throw new Error(`The test names no port for ${port}.`)
    return `${LOOPBACK_PREFIXES[before] ?? before}${testPort}`
  })
}

/** Below the ports that Linux gives to connections and to servers without a port: one of those could take it soon. */
const [FIRST_PORT, PORTS] = [11_000, 20_000]
let nextPort = randomInt(PORTS)

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    nextPort = (nextPort + 1) % PORTS
    const port = FIRST_PORT + nextPort
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}

export function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
