import { startMapsEmulator } from '@switchboard/maps-emulator/maps-emulator'
import { documentedPoolerSettings, startPgBouncer } from '#tests/pgbouncer.ts'
import { freePort, startProxy } from '#tests/proxies.ts'
import { SHARED_SECRET, startAiApi, startProcess, startWorker, tokenAt } from '#tests/server-process.ts'
import { WRITERS } from './change-load.ts'
import { HOST, type PatroniCluster } from './patroni.ts'

const PAGE = 'operate/high-availability.md'
const PASSWORD = 'the first of two sides'

/**
 * Starts an admin-api, two ai-apis and a worker over a cluster. The second ai-api goes through PgBouncer and HAProxy, all
 * others go to the list of the members.
 */
export async function startServersOn(cluster: PatroniCluster) {
  const proxy = await startClusterProxy(cluster)
  const pooler = await startPgBouncer(proxy.url, documentedPoolerSettings(PAGE))
  const emulator = await startMapsEmulator({ now: () => new Date() })
  const databaseUrl = cluster.url
  const port = String(await freePort())
  const aiApis = [
    startAiApi({ databaseUrl, settings: { AI_PORT: port } }),
    startAiApi({ databaseUrl: pooler.url, settings: { DATABASE_DIRECT_URL: proxy.url } }),
  ]
  const settings = { DATABASE_URL: databaseUrl, SUPER_ADMIN_PASSWORD: PASSWORD, WEBHOOK_SECRET: SHARED_SECRET }
  const adminApi = startProcess({ ...settings, AI_API_URL: `http://127.0.0.1:${port}` }, 'apps/admin-api/src/main.ts')
  const worker = startWorker({ databaseUrl, mapsUrl: emulator.url })
  const [admin = '', , ...ai] = await Promise.all([adminApi, worker, ...aiApis].map(({ ready }) => ready()))
  const tokens = await Promise.all(Array.from({ length: WRITERS }, () => tokenAt(admin, PASSWORD)))
  return {
    addresses: { admin, ai },
    tokens,
    async stop(): Promise<void> {
      for (const { child } of [adminApi, worker, ...aiApis]) child.kill('SIGKILL')
      await Promise.all([adminApi, worker, ...aiApis].map(({ ended }) => ended))
      await Promise.all([emulator.close(), pooler.stop()])
      await proxy.stop()
    },
  }
}

/** HAProxy with the documented configuration, which leads to the primary. */
async function startClusterProxy({ members, url }: PatroniCluster) {
  const port = await freePort()
  const servers = members.map(
    ({ name, port: own, restPort }) => `    server ${name} ${HOST}:${own} check port ${restPort}`,
  )
  const stop = startProxy('haproxy', PAGE, { 5000: port }, (text) =>
    [text.replaceAll(/^ *server .*\n?/gm, '').trimEnd(), ...servers].join('\n'),
  )
  const address = new URL(url.replace(/@[^/]+/, `@127.0.0.1:${port}`))
  return { url: address.toString(), stop }
}
