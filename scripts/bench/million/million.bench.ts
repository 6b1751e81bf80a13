import { activityList } from '@switchboard/contract/activity'
import { userList } from '@switchboard/contract/users'
import { tenantList } from '@switchboard/contract/tenants'
import { connect } from '@switchboard/database/connection/connect'
import { SHARED_SECRET, startProcess } from '#tests/server-process.ts'
import { adminApiDeps, authorizationOf } from '#scripts/bench/admin-api-deps.ts'
import { type Load, runLoad, runLoads } from '#scripts/bench/load.ts'
import { amount, type Figure, growth } from '#scripts/bench/measure.ts'
import { type ScreenCall, screenCalls } from './million-calls.ts'
import { fillWorld } from './million-world.ts'
import { residentMegabytes, withPeakMemory } from '#scripts/bench/memory.ts'
import { createDatabase, withPostgres } from '#scripts/bench/with-postgres.ts'

const FEW = 1_000
const MANY = 1_000_000
/** Each client sends its next call after an answer. */
const USERS = 20
const ROUNDS = 5
const ROUND_MS = 400

/** A running admin-api over its own world, and the calls of its screens. */
type World = Awaited<ReturnType<typeof openWorld>>

/**
 * A world of 1,000 and a world of 1,000,000 tenants, users and audit rows, with keys and tasks: every list, the
 * dashboard and the palette of both, in alternation, with twenty clients; and the server's memory while it streams a
 * whole list.
 */
export async function benchMillion(): Promise<Figure[]> {
  return await withPostgres(benchMillionOn, { durable: false })
}

async function benchMillionOn(postgresUrl: string): Promise<Figure[]> {
  const worlds: World[] = []
  try {
    const [few, many] = [await openWorld(postgresUrl, FEW), await openWorld(postgresUrl, MANY)]
    worlds.push(few, many)
    return [...(await screenFigures(few, many)), ...(await streamFigures(many))]
  } finally {
    for (const { server, close } of worlds) {
      server.child.kill('SIGTERM')
      await server.ended
      await close()
    }
  }
}

async function openWorld(postgresUrl: string, count: number) {
  const DATABASE_URL = await createDatabase(postgresUrl, `world_of_${count}`)
  const server = startProcess({ DATABASE_URL, WEBHOOK_SECRET: SHARED_SECRET }, 'apps/admin-api/src/main.ts')
  const address = await server.ready()
  const db = connect(DATABASE_URL, { isPatient: true })
  await fillWorld(db, count)
  const authorize = async () => await authorizationOf(await adminApiDeps(db))
  const headers = await authorize()
  const calls = await screenCalls(db, count)
  return { server, address, headers, calls, authorize, close: () => db.destroy() }
}

async function screenFigures(few: World, many: World): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, call] of Object.entries(many.calls)) {
    if (call.isSearch === true) {
      const { p50 } = await runLoad({ ...loadOf(many, call), connections: 1 })
      figures.push(amount(`${name}: alone at 1,000,000, p50`, p50, 'ms', 500))
      continue
    }
    const loads = [loadOf(many, call), loadOf(few, few.calls[name] ?? call)]
    const [atMany, atFew] = await runLoads(loads, ROUNDS)
    if (atMany === undefined || atFew === undefined) throw new Error(`${name} was not measured.`)
    figures.push(growth(`${name}: ${USERS} at once, 1,000,000 / 1,000`, atMany, atFew, 2))
  }
  return figures
}

function loadOf({ address, headers }: World, { path: target, body }: ScreenCall): Load {
  return {
    port: Number(new URL(address).port),
    path: target,
    headers,
    ...(body === undefined ? {} : { bodies: { all: body } }),
    popularity: 'uniform',
    connections: USERS,
    durationMs: ROUND_MS,
  }
}

async function streamFigures(world: World): Promise<Figure[]> {
  const pid = String(world.server.child.pid)
  // An export needs a session that was opened or confirmed a short time ago.
  const headers = await world.authorize()
  const figures = [amount('memory of admin-api before whole lists (RSS)', await residentMegabytes(pid), 'MB', 450)]
  for (const [what, method, url] of [
    ['whole list of 1,000,000 tenants', 'GET', tenantList.list.url],
    ['CSV of 1,000,000 users', 'POST', userList.export.url],
    ['CSV of 1,000,000 audit rows', 'POST', activityList.export.url],
  ] as const) {
    const startedAt = performance.now()
    const { result: bytes, megabytes } = await withPeakMemory(pid, () =>
      readWhole(world.address + url, { method, headers }),
    )
    const seconds = (performance.now() - startedAt) / 1_000
    figures.push(
      amount(`${what} (${Math.round(bytes / 1e6)} MB): time`, seconds, 's', 60),
      amount(`${what}: peak memory of admin-api (RSS)`, megabytes, 'MB', 450),
    )
  }
  return figures
}

/** Reads an answer to its end and discards it. Returns its size in bytes. Throws when the answer breaks off. */
async function readWhole(url: string, request: RequestInit): Promise<number> {
  const answer = await fetch(url, request)
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  let bytes = 0
  for await (const chunk of answer.body ?? []) bytes += chunk.length
  return bytes
}
