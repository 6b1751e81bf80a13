import { readdir, readFile } from 'node:fs/promises'
import type { PromptTemplate } from '@switchboard/contract/prompts'
import { connect } from '@switchboard/database/connection/connect'
import { makeManyPromptVersions } from '@switchboard/testing/factories'
import { migrate } from '@switchboard/database/migrate'
import { HOSTILE_TEMPLATES } from '@switchboard/prompts/testing/hostile-templates'
import { buildAdminApi } from '#apps/admin-api/src/app.ts'
import { compareTexts } from '#apps/console/src/ui/comparison/compare-texts.ts'
import { adminApiDeps, authorizationOf } from './admin-api-deps.ts'
import { amount, type Figure, percentile, ratio, timesInTurn } from './measure.ts'
import { withPostgres } from './with-postgres.ts'

const VERSIONS = 1_000
const prompts = '/api/v1/admin/prompts'

/**
 * Previews over HTTP of useful and of hostile templates; the history at 1,000 versions; comparing 50,000 characters.
 */
export async function benchPrompts(): Promise<Figure[]> {
  return await withPostgres(benchPromptsOn)
}

async function benchPromptsOn(databaseUrl: string): Promise<Figure[]> {
  const db = connect(databaseUrl, { isPatient: true })
  await migrate(db)
  const deps = await adminApiDeps(db)
  const app = await buildAdminApi(deps)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { ...(await authorizationOf(deps)), 'content-type': 'application/json' }
  const call = async (url: string, body?: object) => {
    const answer = await fetch(`${origin}${prompts}${url}`, {
      method: body ? 'POST' : 'GET',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return await answer.text()
  }
  try {
    const [live]: PromptTemplate[] = JSON.parse(await call('/templates'))
    const template = live?.template ?? ''
    const [useful = []] = await timesInTurn([() => call('/preview', { template })])
    const longest = 'Be kind. {{ goal }}\n'.repeat(2_500)
    const [long = []] = await timesInTurn([() => call('/preview', { template: longest })], { rounds: 50 })
    const before = process.memoryUsage.rss()
    const hostile = await hostileCosts((body) => call('/preview', body))
    const grownMegabytes = (process.memoryUsage.rss() - before) / 1_048_576

    const firstPage = () => call('/templates/general/versions?limit=25')
    const [few = []] = await timesInTurn([firstPage])
    await makeManyPromptVersions(db, VERSIONS)
    const [many = []] = await timesInTurn([firstPage])
    const p99 = (times: readonly number[]) => percentile(times, 0.99)
    return [
      amount('preview of the default template: p99 over HTTP', p99(useful), 'ms', 50),
      amount('preview of 50,000 characters with 2,500 variables: p99 over HTTP', p99(long), 'ms', 250),
      amount(`the slowest of ${hostile.count} hostile templates (${hostile.slowest})`, hostile.ms, 'ms', 250),
      amount('a sign-in check beside a hostile template: slowest', hostile.othersMs, 'ms', 100),
      amount('growth of the server by hostile templates (RSS)', grownMegabytes, 'MB', 64),
      amount('peak memory of a process that renders them (RSS)', hostile.megabytes, 'MB', 200),
      ratio(`history of ${VERSIONS} versions: p99, first page / of one version`, p99(many), p99(few), 2),
      amount('comparing 50,000 characters, a word of each line changed', comparisonMs(), 'ms', 600),
    ]
  } finally {
    await app.close()
    await db.destroy()
  }
}

/** Sends the hostile templates one by one, each beside another call. */
async function hostileCosts(preview: (body: object) => Promise<string>) {
  const costs = { count: 0, slowest: '', ms: 0, othersMs: 0, megabytes: 0 }
  for (const [name, template] of Object.entries(HOSTILE_TEMPLATES)) {
    const started = performance.now()
    const since = () => performance.now() - started
    const watch = setInterval(
      () => void peakOfRenderers().then((mb) => (costs.megabytes = Math.max(costs.megabytes, mb))),
      20,
    )
    // Refused before rendering: the body has no template.
    const other = preview({}).then(since)
    await preview({ template })
    const ms = since()
    clearInterval(watch)
    costs.othersMs = Math.max(costs.othersMs, await other)
    costs.count += 1
    if (ms > costs.ms) Object.assign(costs, { ms, slowest: name })
  }
  return costs
}

/** Peak memory of this process's living children, on Linux only. */
async function peakOfRenderers(): Promise<number> {
  const pids = await readdir('/proc').catch(() => [])
  const peaks = await Promise.all(
    pids
      .filter((pid) => /^\d+$/.test(pid))
      .map(async (pid) => {
        const [command, status] = await Promise.all(
          ['cmdline', 'status'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
        )
        const isRenderer = command?.includes('render-process.ts') && status?.includes(`PPid:\t${process.pid}\n`)
        return isRenderer ? Number(/VmHWM:\s+(\d+) kB/.exec(status ?? '')?.[1]) / 1_024 : 0
      }),
  )
  return Math.max(0, ...peaks)
}

function comparisonMs(): number {
  const lines = (word: string) => Array.from({ length: 1_250 }, (_, n) => `${word} number ${n} of them, {{ goal }}`)
  const started = performance.now()
  compareTexts(lines('line').join('\n'), lines('row').join('\n'))
  return performance.now() - started
}
