import { connect } from '@switchboard/database/connection/connect'
import { createCounts } from '@switchboard/server/process/metrics'
import { z } from 'zod'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { buildAiApi } from '#apps/ai-api/src/app.ts'
import { testDeps } from '#apps/ai-api/src/testing/test-deps.ts'
import { COUNTED_DELIVERIES, COUNTED_MAILS, COUNTED_RUNS } from '#apps/worker/src/deps.ts'
import { createWorkerMetrics } from '#apps/worker/src/worker-metrics.ts'
import { adminApiDeps } from '#scripts/bench/admin-api-deps.ts'
import { codeList, tableOf } from './tables.ts'

const metric = z.object({ name: z.string(), type: z.string(), help: z.string(), labelNames: z.array(z.string()) })
type Metric = z.infer<typeof metric>

/** The table of all metrics. No server is started, and the database is not asked. */
export async function metricsTable(): Promise<string> {
  return tableOf(['metric', 'type', 'labels', 'servers', 'meaning'], rowsOf(await metricsOfServers()))
}

async function metricsOfServers(): Promise<{ server: string; metrics: Metric[] }[]> {
  const directUrl = 'postgresql://127.0.0.1:1/none'
  const db = connect(directUrl)
  const adminApi = await buildAdminApi(await adminApiDeps(db))
  const aiApi = await buildAiApi(testDeps({ db, directUrl }))
  const worker = createWorkerMetrics(
    {
      db,
      runCounts: createCounts('outcome', COUNTED_RUNS),
      mailCounts: createCounts('outcome', COUNTED_MAILS),
      webhookCounts: createCounts('outcome', COUNTED_DELIVERIES),
    },
    { last: () => ({ isBroken: false, rows: 0, atMs: 0 }) },
    { hasFailed: () => false },
  )
  const registries = { 'admin-api': adminApi.metrics, 'ai-api': aiApi.metrics, worker }
  const servers = Object.entries(registries).map(([server, registry]) => ({
    server,
    metrics: z.array(metric).parse(registry.getMetricsAsArray()),
  }))
  await adminApi.close()
  await aiApi.close()
  await db.destroy()
  return servers
}

/** Our metrics, each with the servers that have it. */
function rowsOf(servers: readonly { server: string; metrics: Metric[] }[]): string[][] {
  const byName = new Map(servers.flatMap(({ metrics }) => metrics).map((each) => [each.name, each]))
  return [...byName.values()]
    .filter(({ name }) => !/^(nodejs|process)_/.test(name))
    .map(({ name, type, labelNames, help }) => {
      const having = servers.filter(({ metrics }) => metrics.some((each) => each.name === name))
      const names = having.length === servers.length ? ['all'] : having.map(({ server }) => server)
      return [`\`${name}\``, type, codeList(labelNames), names.join(', '), help]
    })
}
