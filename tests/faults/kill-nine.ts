import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createTenant, tenantList } from '@switchboard/contract/tenants'
import { type ChainState, verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { connect } from '@switchboard/database/connection/connect'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { dataFolder, processesOf, type ServerProcess, startProcess, tokenAt } from '#tests/server-process.ts'

// Kills the server with SIGKILL at random moments while tenants are written, starts it again, and reads every
// acknowledged tenant: `node tests/faults/kill-nine.ts --rounds 200`.

const WRITERS = 4
const PASSWORD = 'kill nine, lose none'
/** Longest time from the readiness of a server to its kill, in milliseconds. */
const LIFE_MS = 500
/** One round in this number is killed during the start. */
const EARLY_ONE_IN = 5

export type Outcome = {
  rounds: number
  killedEarly: number
  acknowledged: number
  /** Ids of acknowledged tenants that are missing. */
  lost: string[]
  /** Answers other than 201 before the kill. */
  refused: string[]
  slowestStartMs: number
  audit: ChainState
  /** Processes that still use the data folder. */
  leftovers: string[]
}

/** Kills the server `rounds` times over a new data folder. `log` receives a line per round. */
export async function killNine(rounds: number, log: (line: string) => void): Promise<Outcome> {
  const settings = { DATA_DIR: dataFolder(), SUPER_ADMIN_PASSWORD: PASSWORD }
  const acknowledged = new Set<string>()
  const refused: string[] = []
  const lost = new Set<string>()
  let [token, killedEarly, slowestStartMs] = ['', 0, 0]

  for (let round = 1; round <= rounds; round += 1) {
    // The first server has to live long enough for a sign-in; the session survives all kills.
    if (round > 1 && Math.random() * EARLY_ONE_IN < 1) {
      await killEarly(startProcess(settings))
      killedEarly += 1
    }
    const began = performance.now()
    const server = startProcess(settings)
    const address = await server.ready()
    slowestStartMs = Math.max(slowestStartMs, performance.now() - began)
    token ||= await tokenAt(address, PASSWORD)
    for (const id of await missing(address, token, acknowledged)) lost.add(id)
    const writing = Array.from({ length: WRITERS }, () => write(address, token, acknowledged, refused))
    // Without an acknowledged change, no later round would find anything lost.
    if (round === 1) while (acknowledged.size === 0) await sleep(10)
    await sleep(Math.random() * LIFE_MS)
    server.child.kill('SIGKILL')
    await Promise.all([server.ended, ...writing])
    log(`round ${round}: ${acknowledged.size} acknowledged, ${lost.size} lost`)
  }

  const server = startProcess(settings)
  for (const id of await missing(await server.ready(), token, acknowledged)) lost.add(id)
  server.child.kill('SIGTERM')
  await server.ended
  const audit = await verifyAudit(settings.DATA_DIR)
  const leftovers = processesOf(settings.DATA_DIR)
  // Damaged data is kept for an investigation.
  if (lost.size === 0 && audit.state === 'holds') rmSync(settings.DATA_DIR, { recursive: true, force: true })
  return {
    rounds,
    killedEarly,
    acknowledged: acknowledged.size,
    lost: [...lost],
    refused,
    slowestStartMs,
    audit,
    leftovers,
  }
}

async function killEarly(server: ServerProcess): Promise<void> {
  await sleep(Math.random() * LIFE_MS)
  server.child.kill('SIGKILL')
  await server.ended
}

async function missing(address: string, token: string, acknowledged: ReadonlySet<string>): Promise<string[]> {
  const answer = await fetch(`${address}/api/v1/admin/tenants`, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`Listing answered ${answer.status}: ${await answer.text()}`)
  const there = new Set(tenantList.list.schema.response[200].parse(await answer.json()).map(({ id }) => id))
  return [...acknowledged].filter((id) => !there.has(id))
}

/** Creates tenants until the server is gone. */
async function write(address: string, token: string, acknowledged: Set<string>, refused: string[]): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  for (;;) {
    const name = `t-${crypto.randomUUID()}`
    const body = JSON.stringify({ name, subdomain: name, tenant_type: 'product' })
    try {
      const answer = await fetch(`${address}/api/v1/admin/tenants`, { method: 'POST', body, headers })
      if (answer.status === 201) acknowledged.add(createTenant.schema.response[201].parse(await answer.json()).id)
      else refused.push(`${answer.status} ${await answer.text()}`)
    } catch {
      // Killed before the end of the answer: nothing was acknowledged.
      return
    }
  }
}

async function verifyAudit(dataDir: string): Promise<ChainState> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const db = connect(postgres.url)
  try {
    return await verifyAuditChain(db)
  } finally {
    await db.destroy()
    await postgres.stop()
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } })
  const outcome = await killNine(Number(values.rounds), console.log)
  console.log({ ...outcome, slowestStartMs: Math.round(outcome.slowestStartMs) })
  const isIntact =
    outcome.lost.length + outcome.refused.length + outcome.leftovers.length === 0 && outcome.audit.state === 'holds'
  process.exitCode = isIntact ? 0 : 1
}
