import { readdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, startProxy } from '#tests/proxies.ts'
import { startProcess } from '#tests/server-process.ts'
import { keptSocket } from './restartable-server.ts'
import { startUpgradeLoad, type Target } from './upgrade-load.ts'

// Upgrades two admin-apis and two ai-apis behind nginx to this release one by one, and takes the upgrade back, as
// docs/operate/upgrade.md says.

const present = path.resolve(import.meta.dirname, '../..')
const DRAIN_SECONDS = 3
/** The ports of docs/operate/rolling-restarts.md. */
const PORTS = [3000, 3010, 3001, 3011, 8080, 8081]

type UpgradeOptions = {
  /** The folder of the older release. */
  older: string
  /** An empty folder. */
  folder: string
  /** Settings of all servers, with `DATABASE_URL`: a database of the older release. */
  settings: Record<string, string>
  target: Omit<Target, 'admin' | 'ai'>
}

/** Upgrades and goes back under load. Returns the figures of the load, and the files of pages that were not served. */
export async function upgradeAndBack({ older, folder, settings, target }: UpgradeOptions) {
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
    await Promise.all(slots.map((slot) => slot.start(older)))
    await untilReady(`${addresses.ai}/readyz`)
    load = startUpgradeLoad({ ...target, ...addresses })
    const migration = startProcess(settings, 'scripts/db-migrate.ts')
    const { code } = await migration.ended
    if (code !== 0) throw new Error(migration.output())
    const missing: string[] = []
    for (const release of [present, older]) {
      for (const slot of slots) await slot.change(release)
      // Pages that were opened before find their files.
      missing.push(...(await missingFiles(addresses.admin, release === older ? present : older)))
    }
    return { ...(await load.stop()), missing }
  } finally {
    await load?.stop()
    await stopBalancer()
    await Promise.all(slots.map((slot) => slot.end()))
  }
}

/** An admin-api and an ai-api, both of the release to which `link` leads. */
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

/** The built files of the console of a release that the balancer does not serve, of every tenth one. */
async function missingFiles(address: string, release: string): Promise<string[]> {
  const files = readdirSync(path.join(release, 'apps/console/dist/assets')).filter((file) => /\.(js|css)$/.test(file))
  const missing: string[] = []
  for (const file of files.filter((_, n) => n % 10 === 0)) {
    const { status } = await fetch(`${address}/assets/${file}`)
    if (status !== 200) missing.push(`${file}: ${status}`)
  }
  return missing
}
