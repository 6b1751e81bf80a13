import {
  createApiKey,
  defaultApiKeyName,
  deleteApiKey,
  type GraceSeconds,
  rotateApiKey,
  toggleApiKey,
} from '@switchboard/contract/api-keys'
import { BASE62, KEY_BODY_LENGTH } from '@switchboard/contract/api-keys/key-format'
import type { Insertable } from 'kysely'
import { addedFields, type AuditTarget, changedFields, removedFields } from '@switchboard/database/audit/audit.queries'
import { secretOf } from '@switchboard/testing/factories'
import type { ApiKeyOutcomesTable, ApiKeysTable } from '@switchboard/database/tables'
import { DAY_MS, HOUR_MS, notBefore, workingMoment } from './calendar.ts'
import { type Chance, chanceOf } from './chance.ts'
import { type KeyUse, useOfKey } from './key-use.demo.ts'
import { KEY_DESCRIPTIONS, KEY_NAMES } from './names.ts'
import { actorOf, type Colleague, actingColleague, type DemoEvent } from './staff.ts'
import type { DemoTenant } from './tenants.demo.ts'

type KeyRow = Insertable<ApiKeysTable> & { id: string }
type Keys = { keys: KeyRow[]; outcomes: Insertable<ApiKeyOutcomesTable>[]; events: DemoEvent[] }

/** Histories of a key. */
const HISTORIES = [
  'used',
  'misused',
  'quiet',
  'unused',
  'inactive',
  'expiring',
  'expired',
  'in_grace',
  'after_grace',
  'cut_off',
  'deleted',
] as const
type KeyHistory = (typeof HISTORIES)[number]

/** Keys per hundred with each history. */
const SHARES: Record<KeyHistory, number> = {
  used: 55,
  misused: 1,
  quiet: 10,
  unused: 12,
  inactive: 8,
  expiring: 2,
  expired: 4,
  in_grace: 2,
  after_grace: 1,
  cut_off: 2,
  deleted: 3,
}

/** The keys of all tenants. One tenant has a key with each history. */
export function planApiKeys(tenants: readonly DemoTenant[], staff: readonly Colleague[], now: number): Keys {
  const showcase = tenants.findIndex(({ inactiveSince }, n) => n > 20 && inactiveSince === null)
  const plans = tenants.map((tenant, n): Keys => {
    const chance = chanceOf('keys', n)
    const histories =
      n === showcase ? HISTORIES : Array.from({ length: chance.pick([0, 1, 1, 1, 2, 2, 3]) }, () => historyBy(chance))
    const planned = histories.map((history, place) => planKey({ tenant, staff, now, chance, place }, history))
    return {
      keys: planned.flatMap(({ keys }) => keys),
      outcomes: planned.flatMap(({ outcomes }) => outcomes),
      events: planned.flatMap(({ events }) => events),
    }
  })
  return {
    keys: plans.flatMap(({ keys }) => keys),
    outcomes: plans.flatMap(({ outcomes }) => outcomes),
    events: plans.flatMap(({ events }) => events),
  }
}

function historyBy(chance: Chance): KeyHistory {
  let rest = chance.integer(0, 99)
  return (
    HISTORIES.find((history) => {
      rest -= SHARES[history]
      return rest < 0
    }) ?? 'used'
  )
}

type Setting = { tenant: DemoTenant; staff: readonly Colleague[]; now: number; chance: Chance; place: number }

function planKey(setting: Setting, history: KeyHistory): Keys {
  const { tenant, now, chance } = setting
  const ageDays = (now - tenant.createdAt) / DAY_MS
  const createdAt = notBefore(
    tenant.createdAt,
    workingMoment(now, Math.max(ageDays * (0.4 + 0.6 * chance.fraction()), Math.min(ageDays, 12)), chance),
    chance,
  )
  const key = newKey(setting, createdAt, history === 'misused' || chance.is(0.55))
  const events: DemoEvent[] = []
  const daysOld = (now - createdAt) / DAY_MS
  const ago = (days: number) => notBefore(createdAt, workingMoment(now, Math.min(days, daysOld / 2), chance), chance)
  const used = (use: Omit<KeyUse, 'now' | 'from' | 'tenantInactiveSince'>) =>
    useOfKey(key.id, { ...use, now, from: createdAt, tenantInactiveSince: tenant.inactiveSince }, chance)
  const alone = (outcomes: Keys['outcomes']): Keys => ({
    keys: [key],
    outcomes,
    events: [creation(setting, key), ...events],
  })

  switch (history) {
    case 'used':
      return alone(used({}))
    case 'misused':
      return alone(used({ refusedBy: 'origin_refused' }))
    case 'quiet':
      return alone(used({ lastAt: ago(chance.integer(31, 90)) }))
    case 'unused':
      return alone([])
    case 'inactive': {
      const at = ago(chance.integer(2, 60))
      events.push(deactivation(setting, key, at))
      return alone(used({ until: at, refusedBy: 'disabled', isRefusedSeldom: true }))
    }
    case 'expiring': {
      const expiresAt = now + chance.integer(30, 310) * HOUR_MS
      endsAt(key, expiresAt)
      return alone(used({}))
    }
    case 'expired': {
      const expiresAt = ago(chance.integer(3, 25))
      endsAt(key, expiresAt)
      return alone(used({ until: expiresAt, refusedBy: 'expired', isRefusedSeldom: true }))
    }
    case 'in_grace':
      return rotated(setting, key, { at: ago(chance.integer(1, 4)), graceSeconds: 604_800 })
    case 'after_grace':
      return rotated(setting, key, { at: ago(chance.integer(9, 20)), graceSeconds: 86_400 })
    case 'cut_off':
      return rotated(setting, key, { at: ago(chance.integer(30, 80)), graceSeconds: 0 })
    case 'deleted': {
      const at = ago(chance.integer(2, 100))
      events.push(deletion(setting, key, at))
      return alone(used({ until: at, refusedBy: 'revoked', isRefusedSeldom: true }))
    }
  }
}

function newKey({ tenant, chance, place }: Setting, createdAt: number, isBound: boolean): KeyRow {
  const { domain } = tenant
  const { api_key: _, ...stored } = secretOf(
    Array.from({ length: KEY_BODY_LENGTH }, () => chance.pick(DIGITS)).join(''),
  )
  const origins = [`https://${domain}`, `https://shop.${domain}`, `https://*.${domain}`]
  return {
    ...stored,
    id: chance.uuid(),
    tenant_id: tenant.row.id,
    name: place === 0 && chance.is(0.4) ? defaultApiKeyName(tenant.row.name) : chance.pick(KEY_NAMES),
    description: chance.pick(KEY_DESCRIPTIONS),
    allowed_origins: isBound ? origins.slice(0, chance.integer(1, 3)) : [],
    created_at: new Date(createdAt),
    expires_at: null,
    original_expires_at: null,
    is_active: true,
    version: 1,
  }
}

const [FIRST_DIGIT = '0', ...OTHER_DIGITS] = BASE62
const DIGITS = [FIRST_DIGIT, ...OTHER_DIGITS] as const

function endsAt(key: KeyRow, ms: number): void {
  key.expires_at = new Date(ms)
  key.original_expires_at = new Date(ms)
}

/** The key, its successor, and the use of both: the old key is used for a while after its end. */
function rotated(
  setting: Setting,
  key: KeyRow,
  { at, graceSeconds }: { at: number; graceSeconds: GraceSeconds },
): Keys {
  const { tenant, now, chance } = setting
  const successor: KeyRow = {
    ...newKey(setting, at, false),
    name: key.name,
    description: key.description,
    allowed_origins: key.allowed_origins,
    rotated_from: key.id,
  }
  const made = creation(setting, key)
  const end = at + graceSeconds * 1_000
  const isCut = graceSeconds === 0
  const before = { is_active: true, expires_at: null, grace_ends_at: null, revoked_at: null, rotated_to: null }
  const after = {
    expires_at: new Date(end),
    grace_ends_at: new Date(end),
    ...(isCut && { revoked_at: new Date(at), is_active: false }),
  }
  const from = (key.created_at ?? new Date(at)).getTime()
  const old = useOfKey(
    key.id,
    {
      now,
      from,
      until: Math.min(end, now),
      // Clients move to the successor.
      fadesFrom: at,
      refusedBy: isCut ? 'revoked' : 'expired',
      isRefusedSeldom: isCut,
      tenantInactiveSince: tenant.inactiveSince,
    },
    chance,
  )
  Object.assign(key, after, {
    rotated_at: new Date(at),
    version: 2,
    calls_before_rotation: callsBefore(old, at),
  })
  const by = done(setting, at, rotateApiKey)
  const changes = changedFields<Record<string, unknown>>(before, { ...after, rotated_to: successor.id })
  const successorFields = addedFields({ ...audited(successor), rotated_from: key.id })
  const events: DemoEvent[] = [
    made,
    { ...by, target: targetOf(key), changes },
    { ...by, target: targetOf(successor), changes: successorFields },
  ]
  const successors = useOfKey(successor.id, { now, from: at, tenantInactiveSince: tenant.inactiveSince }, chance)
  return { keys: [key, successor], outcomes: [...old, ...successors], events }
}

function callsBefore(outcomes: Keys['outcomes'], at: number): number {
  const day = new Date(at).toISOString().slice(0, 10)
  const before = outcomes.filter((one) => one.outcome === 'valid' && one.day < day)
  return before.reduce((total, { count }) => total + count, 0)
}

function creation(setting: Setting, key: KeyRow): DemoEvent {
  const at = (key.created_at ?? new Date(0)).getTime()
  return { ...done(setting, at, createApiKey), target: targetOf(key), changes: addedFields(audited(key)) }
}

function deactivation(setting: Setting, key: KeyRow, at: number): DemoEvent {
  Object.assign(key, { is_active: false, version: 2 })
  const changes = changedFields({ is_active: true }, { is_active: false })
  return { ...done(setting, at, toggleApiKey), target: targetOf(key), changes }
}

function deletion(setting: Setting, key: KeyRow, at: number): DemoEvent {
  Object.assign(key, { is_active: false, revoked_at: new Date(at), deleted_at: new Date(at), version: 2 })
  return { ...done(setting, at, deleteApiKey), target: targetOf(key), changes: removedFields(audited(key)) }
}

function done({ staff, chance }: Setting, at: number, { schema }: { schema: { operationId: string } }) {
  const actor = actorOf(actingColleague(staff, at, chance), chance)
  return { at, actor, action: schema.operationId, outcome: 'done' as const }
}

/** The audited fields: all except the secret, like the entries of the services. */
function audited({ tenant_id, name, description, allowed_origins, expires_at, key_start, key_last4 }: KeyRow) {
  return { tenant_id, name, description, allowed_origins, expires_at, key_start, key_last4 }
}

function targetOf({ id, name, tenant_id }: KeyRow): AuditTarget {
  return { type: 'api_key', id, name, tenant_id }
}
