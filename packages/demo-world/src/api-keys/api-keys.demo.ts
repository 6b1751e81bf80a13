import { EXPIRED_KEY_ACTION, GRACE_EXPIRED_ACTION } from '@switchboard/contract/activity'
import {
  createApiKey,
  defaultApiKeyName,
  deleteApiKey,
  rotateApiKey,
  toggleApiKey,
} from '@switchboard/contract/api-keys'
import { BASE62, KEY_BODY_LENGTH } from '@switchboard/contract/api-keys/key-format'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import type { Insertable } from 'kysely'
import { addedFields, type AuditTarget, changedFields, removedFields } from '@switchboard/database/audit/audit.queries'
import { WORKER } from '@switchboard/database/audit/system-actors'
import { secretOf } from '@switchboard/testing/factories'
import type { AuditChanges } from '@switchboard/database/audit-tables'
import type { Database } from '@switchboard/database/tables'
import { DAY_MS, HOUR_MS, midnight, workingMomentAfter } from '#src/calendar.ts'
import { type Chance, chanceOf } from '#src/chance.ts'
import { type Calls, callsOf, type KeyUse } from './key-use.demo.ts'
import { KEY_DESCRIPTIONS, KEY_NAMES } from '#src/names.ts'
import { actorAt, doneBy } from '#src/staff.ts'
import type { DemoTenant, World } from '#src/world.ts'

type KeyRow = Insertable<Database['api_keys']> & { id: string; created_at: Date }

/** Histories of a key, and the keys per hundred with each. */
const HISTORIES = [
  ['used', 55],
  ['misused', 1],
  ['quiet', 10],
  ['unused', 12],
  ['inactive', 8],
  ['expiring', 2],
  ['expired', 4],
  ['in_grace', 2],
  ['after_grace', 1],
  ['cut_off', 2],
  ['deleted', 3],
] as const
type KeyHistory = (typeof HISTORIES)[number][0]

/** Adds the keys of all tenants. One tenant has a key with each history. */
export function addApiKeys(world: World): void {
  const showcase = world.tenants.findIndex(({ inactiveSince }, n) => n > 20 && inactiveSince === null)
  for (const [n, tenant] of world.tenants.entries()) {
    const chance = chanceOf('keys', n)
    const histories =
      n === showcase
        ? HISTORIES.map(([history]) => history)
        : Array.from({ length: chance.pick([0, 1, 1, 1, 2, 2, 3]) }, () => historyBy(chance))
    for (const [place, history] of histories.entries()) addKey({ world, tenant, chance, place }, history)
  }
}

function historyBy(chance: Chance): KeyHistory {
  let rest = chance.integer(0, 99)
  const [history] =
    HISTORIES.find(([, share]) => {
      rest -= share
      return rest < 0
    }) ?? HISTORIES[0]
  return history
}

type Setting = { world: World; tenant: DemoTenant; chance: Chance; place: number }

function addKey(setting: Setting, history: KeyHistory): void {
  const { world, tenant, chance } = setting
  const ageDays = (world.now - tenant.createdAt) / DAY_MS
  const daysAgo = Math.max(ageDays * (0.4 + 0.6 * chance.fraction()), Math.min(ageDays, 12))
  const createdAt = workingMomentAfter(tenant.createdAt, world.now, daysAgo, chance)
  const key = newKey(setting, createdAt, history === 'misused' || chance.is(0.55))
  world.rows.api_keys.push(key)
  const use = useOf(setting, key, history)
  addEvent(setting, createdAt, createApiKey, key, addedFields(audited(key)))
  if (use === null) return
  const calls = addCalls(setting, key, use)
  if (use.rotatedAt !== undefined) key.calls_before_rotation = callsBefore(calls, use.rotatedAt)
}

function addCalls(setting: Setting, key: KeyRow, use: KeyUse): Calls[] {
  const calls = callsOf(key, use, setting)
  setting.world.rows.api_key_calls.push(...calls)
  key.last_used_at = calls.findLast(({ outcome }) => outcome === 'valid')?.last_at ?? null
  return calls
}

/** Gives the key its history, and returns its use: null for an unused key. */
function useOf(setting: Setting, key: KeyRow, history: KeyHistory): KeyUse | null {
  const { world, chance } = setting
  const createdAt = key.created_at.getTime()
  const daysOld = (world.now - createdAt) / DAY_MS
  const ago = (least: number, most: number) =>
    workingMomentAfter(createdAt, world.now, Math.min(chance.integer(least, most), daysOld / 2), chance)

  switch (history) {
    case 'used':
      return {}
    case 'misused':
      return { refusedBy: 'origin_refused' }
    case 'quiet':
      return { lastAt: ago(31, 90) }
    case 'unused':
      return null
    case 'inactive': {
      const until = ago(2, 60)
      Object.assign(key, { is_active: false, version: 2 })
      addEvent(setting, until, toggleApiKey, key, changedFields({ is_active: true }, { is_active: false }))
      return { until, refusedBy: 'disabled', isRefusedSeldom: true }
    }
    case 'expiring':
      endsAt(key, world.now + chance.integer(30, 310) * HOUR_MS)
      return {}
    case 'expired': {
      const until = ago(3, 25)
      endsAt(key, until)
      noteExpiry(setting, key, until, EXPIRED_KEY_ACTION, 'The key has expired.')
      return { until, refusedBy: 'expired', isRefusedSeldom: true }
    }
    case 'in_grace':
      return rotate(setting, key, ago(1, 4), 604_800)
    case 'after_grace':
      return rotate(setting, key, ago(9, 20), 86_400)
    case 'cut_off':
      return rotate(setting, key, ago(2, 80), 0)
    case 'deleted': {
      const until = ago(2, 28)
      world.deletedKeys.push({ id: key.id, at: new Date(until) })
      addEvent(setting, until, deleteApiKey, key, removedFields(audited(key)))
      return { until }
    }
  }
}

function newKey({ tenant, chance, place }: Setting, createdAt: number, isBound: boolean, replaced?: KeyRow): KeyRow {
  const { domain } = tenant
  const body = Array.from({ length: KEY_BODY_LENGTH }, () => chance.pick(DIGITS)).join('')
  const id = chance.uuid()
  const name = place === 0 && chance.is(0.4) ? defaultApiKeyName(tenant.row.name) : chance.pick(KEY_NAMES)
  const { api_key: _, ...stored } = secretOf(body, replaced?.environment ?? (name === 'Staging' ? 'test' : 'live'))
  const origins = [`https://${domain}`, `https://shop.${domain}`, `https://*.${domain}`]
  return {
    ...stored,
    id,
    tenant_id: tenant.row.id,
    name,
    description: chance.pick(KEY_DESCRIPTIONS),
    allowed_origins: isBound ? origins.slice(0, chance.integer(1, 3)) : [],
    created_at: new Date(createdAt),
    original_expires_at: null,
  }
}

const [FIRST_DIGIT = '0', ...OTHER_DIGITS] = BASE62
const DIGITS = [FIRST_DIGIT, ...OTHER_DIGITS] as const

function endsAt(key: KeyRow, ms: number): void {
  key.expires_at = new Date(ms)
  key.original_expires_at = new Date(ms)
}

/** Adds the successor and its use, and returns the use of the old key: some clients use the old key after its end. */
function rotate(setting: Setting, key: KeyRow, at: number, graceSeconds: number): KeyUse {
  const { world, chance } = setting
  const { name, description, allowed_origins } = key
  const successor = { ...newKey(setting, at, false, key), name, description, allowed_origins, rotated_from: key.id }
  world.rows.api_keys.push(successor)
  addCalls(setting, successor, {})
  const end = at + graceSeconds * 1_000
  const isCut = graceSeconds === 0
  const before = { is_active: true, expires_at: null, grace_ends_at: null, revoked_at: null, rotated_to: null }
  const after = {
    expires_at: new Date(end),
    grace_ends_at: new Date(end),
    ...(isCut && { revoked_at: new Date(at), is_active: false }),
  }
  Object.assign(key, after, { rotated_at: new Date(at), version: 2 })
  const by = actorAt(world.staff, at, chance)
  const changes = changedFields<Record<string, unknown>>(before, { ...after, rotated_to: successor.id })
  const successorFields = addedFields({ ...audited(successor), rotated_from: key.id })
  world.events.push(
    doneBy(by, at, rotateApiKey, { target: targetOf(key), changes }),
    doneBy(by, at, rotateApiKey, { target: targetOf(successor), changes: successorFields }),
  )
  if (!isCut && end < world.now) noteExpiry(setting, key, end, GRACE_EXPIRED_ACTION, 'The grace period has ended.')
  const refused: KeyUse = isCut ? { refusedBy: 'revoked', isRefusedSeldom: true } : { refusedBy: 'expired' }
  return { until: Math.min(end, world.now), rotatedAt: at, ...refused }
}

function callsBefore(calls: Calls[], at: number): number {
  const before = calls.filter((one) => one.outcome === 'valid' && one.since.getTime() < midnight(at))
  return before.reduce((total, { count }) => total + count, 0)
}

function addEvent(
  { world, chance }: Setting,
  at: number,
  endpoint: Endpoint,
  key: KeyRow,
  changes: AuditChanges,
): void {
  world.events.push(doneBy(actorAt(world.staff, at, chance), at, endpoint, { target: targetOf(key), changes }))
}

/** The worker has noted the end of the key. */
function noteExpiry({ world }: Setting, key: KeyRow, at: number, action: string, reason: string): void {
  key.noted_expiry = new Date(at)
  world.events.push({ at, actor: WORKER, action, reason, target: targetOf(key) })
}

/** The audited fields of a new key: all except the secret, like the entries of the services. */
function audited({ original_expires_at, ...key }: KeyRow) {
  const { tenant_id, name, description, environment, allowed_origins, key_start, key_last4 } = key
  return {
    tenant_id,
    name,
    description,
    environment,
    allowed_origins,
    expires_at: original_expires_at,
    key_start,
    key_last4,
  }
}

function targetOf({ id, name, tenant_id }: KeyRow): AuditTarget {
  return { type: 'api_key', id, name, tenant_id }
}
