import { rmSync } from 'node:fs'
import { importTenants } from '@switchboard/contract/tenants/tenant-import'
import { importUsers } from '@switchboard/contract/users/user-import'
import { IMPORT_CALL_MAX } from '@switchboard/contract/wire/imports'
import { dataFolder, startProcess, tokenAt } from '#tests/server-process.ts'
import { amount, type Figure } from '#scripts/bench/measure.ts'

const ROWS = 10_000
const TENANTS_OF_USERS = 100
const PASSWORD = 'ten thousand rows arrive'

type Rows = Record<string, string>[]

/** A check and an import of 10,000 rows of each noun at the real server, call by call as the console sends them. */
export async function benchImports(): Promise<Figure[]> {
  const DATA_DIR = dataFolder()
  const server = startProcess({ DATA_DIR, SUPER_ADMIN_PASSWORD: PASSWORD })
  try {
    const address = await server.ready()
    const authorization = `Bearer ${await tokenAt(address, PASSWORD)}`
    const send = async (url: string, rows: Rows, dry_run: boolean) => {
      const answer = await fetch(address + url, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ dry_run, rows }),
      })
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
      const { results } = importTenants.schema.response[200].parse(await answer.json())
      if (results.some(({ outcome }) => outcome !== 'created')) throw new Error(`${url} created fewer rows.`)
    }
    const secondsFor = async (url: string, rows: Rows, dryRun: boolean) => {
      const startedAt = performance.now()
      for (let at = 0; at < rows.length; at += IMPORT_CALL_MAX)
        await send(url, rows.slice(at, at + IMPORT_CALL_MAX), dryRun)
      return (performance.now() - startedAt) / 1_000
    }
    const figures: Figure[] = []
    for (const { noun, url, rows } of [
      { noun: 'tenants', url: importTenants.url, rows: tenantRows() },
      { noun: 'users', url: importUsers.url, rows: userRows() },
    ]) {
      const check = await secondsFor(url, rows, true)
      const seconds = check + (await secondsFor(url, rows, false))
      figures.push(amount(`check and import of 10,000 ${noun} (check ${check.toFixed(1)} s)`, seconds, 's', 20))
    }
    return figures
  } finally {
    server.child.kill('SIGTERM')
    await server.ended
    rmSync(DATA_DIR, { recursive: true, force: true })
  }
}

function tenantRows(): Rows {
  return Array.from({ length: ROWS }, (_, n) => ({
    name: `Imported ${n}`,
    subdomain: subdomainOf(n),
    tenant_type: n % 2 === 0 ? 'product' : 'service',
    goal: 'Answer questions about opening hours.',
    aggressiveness: '5.5',
    tags: 'imported pilot',
    custom_fields: JSON.stringify({ plan: 'Gold', customer_number: String(n) }),
  }))
}

/** Users of the tenants above, sorted by tenant as the console sends them. */
function userRows(): Rows {
  return Array.from({ length: ROWS }, (_, n) => ({
    email: `imported-${n}@example.com`,
    role: n % 10 === 0 ? 'admin' : 'user',
    tenant_id: subdomainOf(Math.floor((n * TENANTS_OF_USERS) / ROWS)),
    is_active: 'true',
  }))
}

function subdomainOf(n: number): string {
  return `imported-${n}`
}
