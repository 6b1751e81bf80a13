import { setTimeout as sleep } from 'node:timers/promises'
import { startPatroniCluster } from './patroni.ts'
import { startChangeLoad } from './change-load.ts'
import { startServersOn } from './servers-on-cluster.ts'

// Fills the disk of the primary under changes and frees it again, and prints the answers of each time, as root on Linux:
// `node tests/cluster/full-disk.ts`.

const DISK_MB = 300
const PHASE_MS = { before: 3_000, full: 30_000, freed: 15_000 }

const cluster = await startPatroniCluster({ diskMb: DISK_MB })
const servers = await startServersOn(cluster)
try {
  const load = startChangeLoad(servers.addresses.admin, servers.tokens, { victims: [], disableEvery: 1 })
  await sleep(PHASE_MS.before)
  const primary = await cluster.untilComplete()
  const fullAt = performance.now()
  const free = cluster.fillDisk(primary)
  await sleep(PHASE_MS.full)
  const freedAt = performance.now()
  free()
  await sleep(PHASE_MS.freed)
  const changes = await load.stop()
  const counts = new Map<string, number>()
  for (const { sentAt, status, detail } of changes) {
    const phase = sentAt < fullAt ? 'before' : sentAt < freedAt ? 'full' : 'freed'
    const line = status === 201 ? `${phase}: 201` : `${phase}: ${status} ${detail}`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  const backAt = Math.min(
    ...changes.filter(({ status, sentAt }) => status === 201 && sentAt > freedAt).map(({ answeredAt }) => answeredAt),
  )
  console.log({
    ...Object.fromEntries(counts),
    primary: [primary, await cluster.untilComplete()],
    backMs: backAt - freedAt,
  })
} finally {
  await servers.stop()
  await cluster.stop()
}
