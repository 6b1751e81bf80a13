import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import type { Store } from './store.ts'

/** The ports of the servers in their containers. */
const SERVERS = { 'admin-api': 3000, 'ai-api': 3001, worker: 3004 }
const READY_MS = 60_000
/** As in compose.yaml, and with limits below those of an account that may not raise them. */
const LOCKED_DOWN = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--tmpfs=/tmp',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--network=none',
  '--ulimit=nofile=4096:4096',
  '--ulimit=nproc=4096:4096',
]

/**
 * Starts each server of the image in a container, over an embedded PostgreSQL below `place`. Throws unless the health
 * check of the image passes and the server says `version`.
 */
export async function checkImage(store: Store, image: string, version: string, place: string): Promise<void> {
  const dataDir = path.join(place, 'data')
  mkdirSync(dataDir)
  const settings = { unix_socket_permissions: '0777' }
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, settings, log: console.error })
  const socketFolder = new URL(postgres.url).searchParams.get('host') ?? ''
  // The password keeps other accounts out.
  chmodSync(socketFolder, 0o755)
  const env = {
    DATABASE_URL: postgres.url,
    WEBHOOK_SECRET: 'the-secret-of-the-checked-image-1',
    OPS_HOST: '127.0.0.1',
    DRAIN_SECONDS: '0',
  }
  try {
    for (const [name, port] of Object.entries(SERVERS)) {
      const address = `http://127.0.0.1:${port}`
      const given = Object.entries({ ...env, HEALTH_URL: `${address}/readyz` }).map((pair) => `--env=${pair.join('=')}`)
      const options = [`--name=${name}`, ...LOCKED_DOWN, ...given, `--volume=${socketFolder}:${socketFolder}`]
      store.podman('run', '--detach', ...options, image, `apps/${name}/src/main.ts`)
      await untilHealthy(store, name)
      const ask = `console.log((await (await fetch('${address}/healthz')).json()).version)`
      const said = store.podman('exec', name, '/usr/local/bin/node', '--input-type=module', '--eval', ask)
      if (said !== version) throw new Error(`${name} of the image says version ${said}, not ${version}.`)
      console.log(`${name} is healthy and says ${said}.`)
    }
  } finally {
    store.podman('rm', '--all', '--force')
    await postgres.stop()
  }
}

async function untilHealthy(store: Store, name: string): Promise<void> {
  const end = performance.now() + READY_MS
  for (;;) {
    try {
      store.podman('healthcheck', 'run', name)
      return
    } catch (error) {
      if (performance.now() > end) throw new Error(store.podman('logs', name), { cause: error })
      await sleep(500)
    }
  }
}
