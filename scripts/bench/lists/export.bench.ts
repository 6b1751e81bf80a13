import { rmSync } from 'node:fs'
import { BULK_CALL_MAX } from '@switchboard/contract/wire/bulk'
import { EXPORT_ROWS_HEADER } from '@switchboard/contract/csv/exports'
import { tenantList } from '@switchboard/contract/tenants'
import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { makeManyTenants } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { dataFolder, startProcess, tokenAt } from '#tests/server-process.ts'
import { amount, type Figure, rate } from '#scripts/bench/measure.ts'
import { withPeakMemory } from '#scripts/bench/memory.ts'

const ROWS = 1_000_000
const BULK_CALLS = 10
const PASSWORD = 'a million rows leave'

/** A million tenants as CSV from the real server, with its memory, and a bulk change of one selection. */
export async function benchExport(): Promise<Figure[]> {
  const DATA_DIR = dataFolder()
  const server = startProcess({ DATA_DIR, SUPER_ADMIN_PASSWORD: PASSWORD })
  try {
    const address = await server.ready()
    const db = connect(urlOfRunning(DATA_DIR) ?? '', { isPatient: true })
    await makeManyTenants(db, ROWS)
    await sql`vacuum analyze tenants`.execute(db)
    await db.destroy()
    const authorization = `Bearer ${await tokenAt(address, PASSWORD)}`
    const call = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(address + path, {
        ...init,
        headers: { authorization, 'content-type': 'application/json' },
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return answer
    }

    const pid = String(server.child.pid)
    const exportStartedAt = performance.now()
    const first = await withPeakMemory(pid, () => readExport(call, '?sort=name'))
    const seconds = (performance.now() - exportStartedAt) / 1_000
    const second = await withPeakMemory(pid, () => readExport(call, '?sort=name'))

    const selectionStartedAt = performance.now()
    const ids = tenantList.ids.schema.response[200].parse(await (await call(`${tenantList.ids.url}?q=bakery`)).json())
    const selectionMs = performance.now() - selectionStartedAt
    const changeStartedAt = performance.now()
    for (let n = 0; n < BULK_CALLS; n += 1) {
      const chunk = ids.slice(n * BULK_CALL_MAX, (n + 1) * BULK_CALL_MAX)
      const change = JSON.stringify({ action: 'deactivate', ids: chunk })
      await (await call(`${tenantList.bulk.url}?q=bakery`, { method: 'POST', body: change })).text()
    }
    const perSecond = (BULK_CALLS * BULK_CALL_MAX) / ((performance.now() - changeStartedAt) / 1_000)
    return [
      amount(`export of 1,000,000 tenants (${Math.round(first.result / 1e6)} MB): time`, seconds, 's', 60),
      rate('export of 1,000,000 tenants', ROWS / seconds, 'rows/s', 20_000),
      amount('export of 1,000,000 tenants: peak memory of Node (RSS)', first.megabytes, 'MB', 450),
      // Node's heap grows to some size before the first full garbage collection, and no further.
      amount('peak memory of a second export / of the first', second.megabytes / first.megabytes, '×', 1.1),
      amount(
        `selecting ${ids.length.toLocaleString('en-US')} of 1,000,000 tenants by a search`,
        selectionMs,
        'ms',
        3_000,
      ),
      rate('tenants deactivated by one selection, each audited', perSecond, 'rows/s', 100),
    ]
  } finally {
    server.child.kill('SIGTERM')
    await server.ended
    rmSync(DATA_DIR, { recursive: true, force: true })
  }
}

/** Reads a file to its end and discards it. Returns its size in bytes. Throws when records are missing. */
async function readExport(
  call: (path: string, init: RequestInit) => Promise<Response>,
  query: string,
): Promise<number> {
  const answer = await call(tenantList.export.url + query, { method: 'POST' })
  let [bytes, lines] = [0, 0]
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    // No field of these tenants contains a line break.
    for (const byte of chunk) if (byte === 0x0a) lines += 1
  }
  if (String(lines - 1) !== answer.headers.get(EXPORT_ROWS_HEADER))
    throw new Error(`The file has only ${lines - 1} rows.`)
  return bytes
}
