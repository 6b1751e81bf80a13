import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@switchboard/database/connection/connect'
import { makeApiKey, makeSecret, makeTenant } from '@switchboard/testing/factories'
import { migrate } from '@switchboard/database/migrate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAiApi } from '#tests/server-process.ts'
import { type Answer, type Probe, startKeyLoad } from './key-load.ts'
import { restartablePostgres } from './restartable-postgres.ts'

/** A disabled key is refused after this time. */
const EFFECTIVE_MS = 1_000
/** Good keys are good again, counted from when the database takes queries. */
const RECOVERED_MS = 5_000
/** Every request is answered: two seconds are the pool's own patience, the rest is for a busy machine. */
const ANSWERED_MS = 4_000
/** Every way to disable a key must have had time to fail visibly. */
const CALM_MS = EFFECTIVE_MS + 1_000

const postgres = await restartablePostgres()
const db = connect(postgres.url, { onLost: () => {} })
await migrate(db)
const processes = [1, 2].map(() => startAiApi({ databaseUrl: postgres.url }))
let addresses: string[] = []

beforeAll(async () => {
  addresses = await Promise.all(processes.map(({ ready }) => ready()))
})
afterAll(async () => {
  for (const { child } of processes) child.kill('SIGKILL')
  await db.destroy()
  await postgres.remove()
})

test(
  'while the database is killed and restarted under two ai-apis, no wrong key passes, no call hangs, and no use is lost',
  { timeout: 60_000 },
  async () => {
    const { id: tenant_id } = await makeTenant(db)
    const good = await many(8, async () => probeOf('good', (await makeApiKey(db, { tenant_id })).api_key))
    const load = startKeyLoad(addresses, [...good, ...(await badKeys())])
    const recoveries: number[] = []
    const restart = async (signal: 'SIGKILL' | 'SIGQUIT', awayMs: number) => {
      const victims = await many(2 * WAYS.length, fadingKey)
      const expiring = await expiringKey(awayMs + 700)
      for (const { probe } of [...victims, expiring]) load.add(probe)
      // Until both processes know all of them.
      await sleep(500)
      await takeAway(victims.splice(0, WAYS.length))
      await postgres.kill(signal)
      await sleep(awayMs)
      await postgres.start()
      const backAt = performance.now()
      await takeAway(victims)
      recoveries.push((await load.untilCalm(backAt, CALM_MS)) - backAt)
    }
    await restart('SIGKILL', 0)
    await restart('SIGQUIT', 2_500)
    const answers = await load.stop()
    expect(answers.filter(isWrong).map(inWords)).toEqual([])
    expect(answers.filter(({ askedAt, answeredAt }) => answeredAt - askedAt > ANSWERED_MS).map(inWords)).toEqual([])
    expect(Math.max(...recoveries)).toBeLessThan(RECOVERED_MS)
    // Without load these claims would be trivially true.
    for (const address of addresses) {
      const own = answers.filter((answer) => answer.address === address)
      expect(new Set(own.map(({ probe, status }) => `${probe.kind} ${status}`))).toEqual(
        new Set(['good 200', 'good 503', 'bad 401', 'bad 503', 'fading 200', 'fading 401', 'fading 503']),
      )
    }

    for (const { child } of processes) child.kill('SIGTERM')
    for (const { ended } of processes) expect(await ended).toEqual({ code: 0, complaint: '' })
    const uses = answers.filter(({ probe, status }) => probe.kind === 'good' && status === 200)
    expect(await countedUses(tenant_id)).toBe(uses.length)
  },
)

type Fading = { probe: Probe; key: { id: string; tenant_id: string } }

/** The ways to disable a key. */
const WAYS: readonly ((key: Fading['key']) => Promise<unknown>)[] = [
  ({ id }) => db.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute(),
  ({ id }) => db.updateTable('api_keys').set(deleted()).where('id', '=', id).execute(),
  ({ tenant_id }) => db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', tenant_id).execute(),
  ({ tenant_id }) => db.deleteFrom('tenants').where('id', '=', tenant_id).execute(),
]

/** Disables each key in a different way, as soon as the database allows. */
async function takeAway(keys: readonly Fading[]): Promise<void> {
  for (const [at, { probe, key }] of keys.entries()) {
    probe.takingAt = performance.now()
    // Connections from before the restart fail once each.
    while (
      !(await WAYS[at]?.(key)
        .then(() => true)
        .catch(() => false))
    )
      await sleep(10)
    probe.takenAt = performance.now()
  }
}

async function badKeys(): Promise<Probe[]> {
  const keys = [
    await newKey({ is_active: false }),
    await newKey(deleted()),
    await newKey({ expires_at: new Date(Date.now() - 1_000) }),
    makeSecret(),
  ]
  return keys.map(({ api_key }) => probeOf('bad', api_key))
}

async function fadingKey(): Promise<Fading> {
  const key = await newKey()
  return { key, probe: probeOf('fading', key.api_key) }
}

/** A key that expires after `afterMs` milliseconds. */
async function expiringKey(afterMs: number): Promise<Fading> {
  const key = await newKey({ expires_at: new Date(Date.now() + afterMs) })
  const expiresAt = performance.now() + afterMs
  return { key, probe: { ...probeOf('fading', key.api_key), takingAt: expiresAt - 100, takenAt: expiresAt } }
}

/** A key of a tenant of its own. */
async function newKey(fields: Partial<Parameters<typeof makeApiKey>[1]> = {}) {
  return await makeApiKey(db, { tenant_id: (await makeTenant(db)).id, ...fields })
}

function probeOf(kind: Probe['kind'], secret: string): Probe {
  const takenAt = kind === 'bad' ? -Infinity : Infinity
  return { kind, secret, takingAt: takenAt, takenAt }
}

function deleted() {
  return { is_active: false, revoked_at: new Date(), deleted_at: new Date() }
}

async function many<Thing>(count: number, make: () => Promise<Thing>): Promise<Thing[]> {
  return await Promise.all(Array.from({ length: count }, make))
}

/** Whether a key got a wrong status. 503 is right for every key: the database may be away. */
function isWrong({ probe, status, askedAt, answeredAt }: Answer): boolean {
  if (status === 200) return askedAt > probe.takenAt + EFFECTIVE_MS
  if (status === 401) return answeredAt < probe.takingAt
  return status !== 503
}

function inWords({ probe, status, askedAt, answeredAt }: Answer): string {
  const times = `asked ${Math.round(askedAt - probe.takenAt)} ms after, answered in ${Math.round(answeredAt - askedAt)} ms`
  return `${probe.kind} key: ${status}, ${times}`
}

async function countedUses(tenantId: string): Promise<number> {
  const { uses } = await db
    .selectFrom('api_key_outcomes')
    .innerJoin('api_keys', 'id', 'api_key_id')
    .select(({ fn }) => fn.sum<number>('count').as('uses'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return uses
}
