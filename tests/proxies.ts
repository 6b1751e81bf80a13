import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { dataFolder } from './server-process.ts'

/** Debian keeps servers where only root's path leads. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` }

/** How to run each proxy in the foreground with a configuration of the documentation, in a folder of its own. */
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
 * Runs the proxy's block of a page below docs/ with `ports` in place of its own ports, and with the caller's `changed`
 * text where a test needs another setting. Returns a function to stop the proxy.
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

function blockOf(page: string, language: string): string {
  const text = readFileSync(path.resolve(import.meta.dirname, '../docs', page), 'utf8')
  const [, block] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text) ?? []
  if (block === undefined) throw new Error(`docs/${page} has no block of ${language}.`)
  return block
}

/** How the tests listen on loopback alone where the documentation listens everywhere. */
const LOCALLY: Readonly<Record<string, string>> = { 'listen ': 'listen 127.0.0.1:', ':': 'http://127.0.0.1:' }

function withPorts(text: string, ports: Readonly<Record<string, number>>): string {
  return text.replaceAll(/(^:|listen |127\.0\.0\.1:)(\d+)/gm, (_, before: string, port: string) => {
    const ours = ports[port]
    if (ours === undefined) throw new Error(`The test names no port for ${port}.`)
    return `${LOCALLY[before] ?? before}${ours}`
  })
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const port = portOf(probe.address())
  probe.close()
  await once(probe, 'close')
  return port
}

export function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
