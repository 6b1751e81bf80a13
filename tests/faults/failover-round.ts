import { setTimeout as sleep } from 'node:timers/promises'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { connect } from '@switchboard/database/connection/connect'
import type { Database } from '@switchboard/database/tables'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import type { Kysely } from 'kysely'
import { type Change, lastFailureAfter, startChangeLoad, type Victim } from './change-load.ts'
import { type Answer, type Probe, startKeyLoad } from './key-load.ts'
import type { PatroniCluster } from './patroni.ts'
import { watchPrimaries } from './watch-primaries.ts'

// One fault of a cluster under load, and what clients saw of it.

const GOOD_KEYS = 8
const VICTIMS = 120
/** Load before the fault. */
const BEFORE_MS = 2_000
/** Time without a failure after which the servers count as recovered. */
const CALM_MS = 2_000
/** A disabled key is refused after this time. */
export const EFFECTIVE_MS = 1_000

export type Addresses = { admin: string; ai: readonly string[] }

type Round = {
  acknowledged: number
  /** Acknowledged tenants without a row or an audit entry on the new primary. */
  lost: number
  /** Time from the promotion until the last failed check of a good key, and until the last failed change. */
  checksBackMs: number
  changesBackMs: number
  disabled: number
  /** Time from the acknowledged disabling of a key until the latest accepted check was sent, at each ai-api. */
  latestAcceptanceMs: number[]
  /** Checks accepted while no member took writes: the servers had no current answer. */
  acceptedMeanwhile: number
  /** Answers with a wrong status. */
  wrong: string[]
  /** Times at which two members took writes. */
  twoPrimaries: number
  audit: string
}

type Options = { cluster: PatroniCluster; addresses: Addresses; tokens: readonly string[] }

/** Runs a load, strikes the primary with `fault`, and waits until another member serves. */
export async function failoverRound(
  { cluster, addresses, tokens }: Options,
  fault: (primary: string) => Promise<void>,
): Promise<Round> {
  const { good, victims } = await makeProbes(cluster.url)
  const checks = startKeyLoad(addresses.ai, [...good, ...victims.map(({ probe }) => probe)])
  const changes = startChangeLoad(addresses.admin, tokens, victims)
  await sleep(BEFORE_MS)
  const primary = await cluster.untilComplete()
  const watch = watchPrimaries(cluster.members)
  const faultAt = performance.now()
  await fault(primary)
  const promoted = await watch.untilOther(primary)
  const withoutPrimary = { from: Math.max(faultAt, watch.lastSeen(primary)), until: promoted.lastStandbyAt }
  await checks.untilCalm(promoted.at, CALM_MS)
  await changes.untilCalm(promoted.at, CALM_MS)
  const [checked, changed] = await Promise.all([checks.stop(), changes.stop()])
  const twoPrimaries = await watch.stop()

  const created = changed.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const db = connect(promoted.url, { isPatient: true, onLost: () => undefined })
  const lost = await missing(db, created)
  const audit = await verifyAuditChain(db)
  await db.destroy()
  const goodChecks = checked.filter(({ probe }) => probe.kind === 'good')
  return {
    acknowledged: changed.filter(({ status }) => status === 200 || status === 201).length,
    lost: lost.length,
    checksBackMs: lastFailureAfter(promoted.at, goodChecks) - promoted.at,
    changesBackMs: lastFailureAfter(promoted.at, changed) - promoted.at,
    disabled: victims.filter(({ probe }) => probe.disabledAt < Infinity).length,
    latestAcceptanceMs: addresses.ai.map((address) => latestAcceptance(checked.filter((it) => it.address === address))),
    acceptedMeanwhile: checked.filter(
      ({ status, sentAt, answeredAt }) =>
        status === 200 && sentAt > withoutPrimary.from + EFFECTIVE_MS && answeredAt < withoutPrimary.until,
    ).length,
    wrong: [...checked.filter(isWrongCheck).map(lineOfCheck), ...changed.filter(isWrongChange).map(lineOfChange)],
    twoPrimaries,
    audit: audit.state,
  }
}

/** Good keys, and keys to disable. */
export async function makeProbes(url: string): Promise<{ good: Probe[]; victims: Victim[] }> {
  const db = connect(url, { max: 1, onLost: () => undefined })
  const { id: tenant_id } = await makeTenant(db)
  const keys = []
  for (let n = 0; n < GOOD_KEYS + VICTIMS; n += 1) keys.push(await makeApiKey(db, { tenant_id }))
  await db.destroy()
  const times = { disablingAt: Infinity, disabledAt: Infinity }
  return {
    good: keys.slice(0, GOOD_KEYS).map(({ api_key }) => ({ secret: api_key, kind: 'good', ...times })),
    victims: keys
      .slice(GOOD_KEYS)
      .map(({ id, api_key }) => ({ id, probe: { secret: api_key, kind: 'disabled', ...times } })),
  }
}

/** The ids without a tenant or without an entry in the audit log. */
async function missing(db: Kysely<Database>, ids: readonly string[]): Promise<string[]> {
  const tenants = await db.selectFrom('tenants').select('id').execute()
  const entries = await db
    .selectFrom('audit_entries')
    .select('target_id')
    .where('action', '=', 'tenants.create')
    .execute()
  const [kept, audited] = [
    new Set(tenants.map(({ id }) => id)),
    new Set(entries.map(({ target_id }) => String(target_id))),
  ]
  return ids.filter((id) => !kept.has(id) || !audited.has(id))
}

function latestAcceptance(answers: readonly Answer[]): number {
  const accepted = answers.filter(({ status }) => status === 200)
  return Math.max(0, ...accepted.map(({ probe, sentAt }) => sentAt - probe.disabledAt))
}

/** 503 is right for every key: the database may be away. */
function isWrongCheck({ probe, status, sentAt, answeredAt }: Answer): boolean {
  if (status === 200) return sentAt > probe.disabledAt + EFFECTIVE_MS
  if (status === 401) return answeredAt < probe.disablingAt
  return status !== 503
}

function isWrongChange({ status }: Change): boolean {
  return status !== 200 && status !== 201 && status !== 503
}

function lineOfCheck({ probe, status, sentAt, answeredAt }: Answer): string {
  return `check of a ${probe.kind} key: ${status}, sent ${Math.round(sentAt - probe.disabledAt)} ms after its disabling, answered in ${Math.round(answeredAt - sentAt)} ms`
}

function lineOfChange({ status, detail, sentAt, answeredAt }: Change): string {
  return `change: ${status} ${detail}, answered in ${Math.round(answeredAt - sentAt)} ms`
}
