import { rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, startProxy } from '#tests/proxies.ts'
import { present, runIn } from './next-release.ts'
import { keptSocket } from './restartable-server.ts'
import { startUpgradeLoad, type Target } from './upgrade-load.ts'

// Upgrades two admin-apis and two ai-apis behind nginx one by one to the next release, and rolls back, as
// docs/operate/every-release.md describes.

const DRAIN_SECONDS = 3
/** The ports of docs/operate/rolling-restarts.md. */
const PORTS = [3000, 3010, 3001, 3011, 8080, 8081]

type UpgradeOptions = {
  /** The folder of the next release. */
  next: string
  /** An empty folder. */
  folder: string
  /** Settings of all servers, with `DATABASE_URL`: a database of this release. */
  settings: Record<string, string>
  target: Omit<Target, 'admin' | 'ai'>
}

/** Upgrades and rolls back under load. Returns the figures of the load. */
export async function upgradeAndBack({ next, folder, settings, target }: UpgradeOptions) {
  const ports: Record<string, number> = {}
  for (const port of PORTS) ports[port] = await freePort()
  const common = { ...settings, DRAIN_SECONDS: String(DRAIN_SECONDS), TRUST_PROXY: '127.0.0.1' }
  const slots = [
    await slotOf(path.join(folder, 'one'), common, { admin: ports[3000], ai: ports[3001] }),
    await slotOf(path.join(folder, 'other'), common, { admin: ports[3010], ai: ports[3011] }),
  ]
  const stopBalancer = startProxy('nginx', 'operate/rolling-restarts.md', ports, (text) =>
    text.replaceAll('keepalive_timeout 2s', `keepalive_timeout ${DRAIN_SECONDS - 2}s`),
  )
  const addresses = { admin: `http://127.0.0.1:${ports[8080]}`, ai: `http://127.0.0.1:${ports[8081]}` }
  let load: ReturnType<typeof startUpgradeLoad> | undefined
  try {
    await Promise.all(slots.map((slot) => slot.start(present)))
    await untilReady(`${addresses.ai}/readyz`)
    load = startUpgradeLoad({ ...target, ...addresses })
    await runIn(next, "await import('./scripts/db-migrate.ts')", settings)
    for (const release of [next, present]) for (const slot of slots) await slot.change(release)
    return await load.stop()
  } finally {
    await load?.stop()
    await stopBalancer()
    await Promise.all(slots.map((slot) => slot.end()))
  }
}

/** An admin-api and an ai-api, both of the release that `link` points to. */
async function slotOf(
  link: string,
  settings: Record<string, string>,
  ports: { admin: number | undefined; ai: number | undefined },
) {
  const servers = await Promise.all([
    keptSocket({ ...settings, PORT: `${ports.admin}` }, `${link}/apps/admin-api/src/main.ts`, 'PORT'),
    keptSocket({ ...settings, AI_PORT: `${ports.ai}` }, `${link}/apps/ai-api/src/main.ts`, 'AI_PORT'),
  ])
  const start = async (release: string) => {
    rmSync(link, { force: true })
    symlinkSync(release, link)
    await Promise.all(servers.map((server) => server.start()))
  }
  return {
    start,
    /** Drains the servers and starts those of another release on the same sockets. */
    change: async (release: string) => {
      const codes = await Promise.all(servers.map((server) => server.stop()))
      if (codes.some((code) => code !== 0)) throw new Error(`A server ended with ${codes.join(' and ')}.`)
      await start(release)
    },
    end: async () => void (await Promise.all(servers.map((server) => server.end()))),
  }
}

async function untilReady(url: string): Promise<void> {
  for (let n = 0; n < 300; n += 1) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await sleep(100)
  }
  throw new Error('The balancer does not answer.')
}
