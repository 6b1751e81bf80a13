import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@switchboard/database/connection/connect'
import { deleteRecord, makeApiKey, makeSecret, makeTenant } from '@switchboard/testing/factories'
import { migrate } from '@switchboard/database/migrate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAiApi } from '#tests/server-process.ts'
import { type Answer, type Probe, startKeyLoad } from './key-load.ts'
import { restartablePostgres } from './restartable-postgres.ts'

/** A disabled key is refused after this time. */
const EFFECTIVE_MS = 1_000
/** Valid keys are accepted again after this time, counted from the recovery of the database. */
const RECOVERED_MS = 5_000
/** Longest answer: two seconds for the time limit of the pool, the rest for a busy machine. */
const ANSWERED_MS = 4_000
/** Time without a 503 after which the servers count as recovered; longer than `EFFECTIVE_MS`, so late failures show. */
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

test('while the database is killed and restarted under two ai-apis, no invalid key passes, no call hangs, and no use is lost', async () => {
  const { id: tenant_id } = await makeTenant(db)
  const good = await repeated(8, async () => probeOf('good', (await makeApiKey(db, { tenant_id })).api_key))
  const load = startKeyLoad(addresses, [...good, ...(await badKeys())])
  const recoveries: number[] = []
  const restart = async (signal: 'SIGKILL' | 'SIGQUIT', awayMs: number) => {
    const victims = await repeated(2 * WAYS.length, keyToDisable)
    const expiring = await expiringKey(awayMs + 700)
    for (const { probe } of [...victims, expiring]) load.add(probe)
    // Until both processes have cached all keys.
    await sleep(500)
    await disableKeys(victims.splice(0, WAYS.length))
    await postgres.kill(signal)
    await sleep(awayMs)
    await postgres.start()
    const backAt = performance.now()
    await disableKeys(victims)
    recoveries.push((await load.untilCalm(backAt, CALM_MS)) - backAt)
  }
  await restart('SIGKILL', 0)
  await restart('SIGQUIT', 2_500)
  const answers = await load.stop()
  expect(answers.filter(isIncorrect).map(lineOf)).toEqual([])
  expect(answers.filter(({ sentAt, answeredAt }) => answeredAt - sentAt > ANSWERED_MS).map(lineOf)).toEqual([])
  expect(Math.max(...recoveries)).toBeLessThan(RECOVERED_MS)
  // Without load these claims would be trivially true.
  for (const address of addresses) {
    const own = answers.filter((answer) => answer.address === address)
    expect(new Set(own.map(({ probe, status }) => `${probe.kind} ${status}`))).toEqual(
      new Set(['good 200', 'good 503', 'bad 401', 'bad 503', 'disabled 200', 'disabled 401', 'disabled 503']),
    )
  }

  for (const { child } of processes) child.kill('SIGTERM')
  for (const { ended } of processes) expect(await ended).toEqual({ code: 0, stderr: '' })
  const uses = answers.filter(({ probe, status }) => probe.kind === 'good' && status === 200)
  expect(await countedUses(tenant_id)).toBe(uses.length)
})

type KeyToDisable = { probe: Probe; key: { id: string; tenant_id: string } }

/** The ways to disable a key. */
const WAYS: readonly ((key: KeyToDisable['key']) => Promise<unknown>)[] = [
  ({ id }) => db.updateTable('api_keys').set({ is_active: false }).where('id', '=', id).execute(),
  ({ id }) => deleteRecord(db, 'api_keys', id),
  ({ tenant_id }) => db.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', tenant_id).execute(),
  ({ tenant_id }) => db.deleteFrom('tenants').where('id', '=', tenant_id).execute(),
]

/** Disables each key in a different way, as soon as the database allows. */
async function disableKeys(keys: readonly KeyToDisable[]): Promise<void> {
  for (const [at, { probe, key }] of keys.entries()) {
    probe.disablingAt = performance.now()
    // Connections from before the restart fail once each.
    while (
      !(await WAYS[at]?.(key)
        .then(() => true)
        .catch(() => false))
    )
      await sleep(10)
    probe.disabledAt = performance.now()
  }
}

async function badKeys(): Promise<Probe[]> {
  const keys = [
    await newKey({ is_active: false }),
    await deletedKey(),
    await newKey({ expires_at: new Date(Date.now() - 1_000) }),
    makeSecret(),
  ]
  return keys.map(({ api_key }) => probeOf('bad', api_key))
}

async function keyToDisable(): Promise<KeyToDisable> {
  const key = await newKey()
  return { key, probe: probeOf('disabled', key.api_key) }
}

/** A key that expires after `afterMs` milliseconds. */
async function expiringKey(afterMs: number): Promise<KeyToDisable> {
  const expiresAt = performance.now() + afterMs
  const key = await newKey({ expires_at: new Date(Date.now() + afterMs) })
  return { key, probe: { ...probeOf('disabled', key.api_key), disablingAt: expiresAt - 100, disabledAt: expiresAt } }
}

/** A key of a new tenant. */
async function newKey(fields: Partial<Parameters<typeof makeApiKey>[1]> = {}) {
  return await makeApiKey(db, { tenant_id: (await makeTenant(db)).id, ...fields })
}

function probeOf(kind: Probe['kind'], secret: string): Probe {
  const disabledAt = kind === 'bad' ? -Infinity : Infinity
  return { kind, secret, disablingAt: disabledAt, disabledAt }
}

async function deletedKey() {
  const key = await newKey()
  await deleteRecord(db, 'api_keys', key.id)
  return key
}

async function repeated<Result>(count: number, make: () => Promise<Result>): Promise<Result[]> {
  return await Promise.all(Array.from({ length: count }, make))
}

/** Whether a key got a wrong status. 503 is right for every key: the database may be away. */
function isIncorrect({ probe, status, sentAt, answeredAt }: Answer): boolean {
  if (status === 200) return sentAt > probe.disabledAt + EFFECTIVE_MS
  if (status === 401) return answeredAt < probe.disablingAt
  return status !== 503
}

function lineOf({ probe, status, sentAt, answeredAt }: Answer): string {
  const times = `sent ${Math.round(sentAt - probe.disabledAt)} ms after, answered in ${Math.round(answeredAt - sentAt)} ms`
  return `${probe.kind} key: ${status}, ${times}`
}

async function countedUses(tenantId: string): Promise<number> {
  const { uses } = await db
    .selectFrom('api_key_calls')
    .innerJoin('api_keys', 'id', 'api_key_id')
    .select(({ fn }) => fn.sum<number>('count').as('uses'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return uses
}
