import { allowedOriginFor, isOriginAllowed } from '@switchboard/contract/api-keys/allowed-origins'
import { EXPIRING_DAYS, REFUSED_DAYS } from '@switchboard/contract/api-keys/key-outcomes'
import type { Attention, AttentionReview, AttentionTask, RefusedKey } from '@switchboard/contract/dashboard'
import { LOW_RATING_DAYS } from '@switchboard/contract/reviews/low-ratings'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { LATE_AFTER_MINUTES } from '@switchboard/contract/tasks/task-state'
import { can } from '#src/lib/can.ts'
import { counted, countText } from '#src/lib/format/count.ts'
import { relativeText, shortDayText } from '#src/lib/format/moment.ts'

type Search = { [Name in 'key' | 'state' | 'attention' | 'tenant_id' | 'task_id']?: string }
type ListLink = { to: '/tasks' | '/keys' | '/tenants' | '/users/create'; search: Search }
/** A tab of a tenant. */
type TabLink = { to: `/tenants/$tenantId/${'users' | 'reviews'}`; params: { tenantId: string }; search: Search }
type TaskLink = { to: '/tasks/$taskId'; params: { taskId: string } }

/** A record that needs attention, the reason, and the screen with the fix. */
export type AttentionRow = {
  id: string
  name: string
  /** The tenant, unless the name contains its name. */
  owner?: string | undefined
  reason: string
  /** Refused calls, with the calls of each day. */
  refused?: Pick<RefusedKey, 'recent_calls' | 'refusals'>
  /** The name of the action that mends it. */
  action: string
  link: ListLink | TabLink | TaskLink
}

/** Records that need attention for the same reason: their number, and the most urgent ones. */
export type AttentionGroup = {
  id: Exclude<keyof Attention, 'untrusted_proxy'>
  tone: 'bad' | 'warn' | 'quiet'
  /** "3", "1,000+" */
  count: string
  noun: string
  /** Which records are counted. */
  note: string
  rows: AttentionRow[]
  all: { label: string; link: ListLink }
}

const LOW_ONLY = { attention: 'reviews_low' }

/** The groups with records, the most severe first. */
export function attentionGroups(attention: Attention): AttentionGroup[] {
  const groups = [
    groupOf('keys_reported', attention.keys_reported, {
      tone: 'bad',
      nouns: ['leaked key', 'leaked keys'],
      note: 'Found in public by a secret scanning service, and not yet replaced or deleted.',
      all: { label: 'All leaked keys', link: { to: '/keys', search: { attention: 'keys_reported' } } },
      rowOf: (key) => ({
        id: key.id,
        name: key.name,
        owner: ownerOf(key.name, key),
        reason: `Reported as leaked ${relativeText(key.reported_at)}, ${key.is_active ? 'still active' : 'inactive'}`,
        action: key.is_active && can('edit') ? 'Rotate key' : 'Open key',
        link: { to: '/keys', search: { key: key.id } },
      }),
    }),
    groupOf('keys_refused', attention.keys_refused, {
      tone: 'bad',
      nouns: ['key refused', 'keys refused'],
      note: refusedNote(attention.keys_refused),
      all: { label: 'All refused keys', link: { to: '/keys', search: { attention: 'keys_refused' } } },
      rowOf: (key) => ({
        id: key.id,
        name: key.name,
        owner: ownerOf(key.name, key),
        refused: key,
        link: { to: '/keys', search: { key: key.id } },
        ...refusalOf(key),
      }),
    }),
    groupOf('tasks_late', attention.tasks_late, {
      tone: 'bad',
      nouns: ['task late', 'tasks late'],
      note: `More than ${LATE_AFTER_MINUTES} minutes after their time.`,
      all: { label: 'All late tasks', link: { to: '/tasks', search: { state: 'late' } } },
      rowOf: (task) => taskRow(task, task.at === null ? 'Late' : `Was due ${relativeText(task.at)}`),
    }),
    groupOf('tasks_failing', attention.tasks_failing, {
      tone: 'bad',
      nouns: ['task failed', 'tasks failed'],
      note: 'Tasks whose last run failed.',
      all: { label: 'All failed tasks', link: { to: '/tasks', search: { state: 'failing' } } },
      rowOf: (task) => taskRow(task, task.reason ?? 'The last run failed'),
    }),
    groupOf('keys_expiring', attention.keys_expiring, {
      tone: 'warn',
      nouns: ['key expiring', 'keys expiring'],
      note: `Active keys that expire within ${EXPIRING_DAYS} days.`,
      all: { label: 'All expiring keys', link: { to: '/keys', search: { attention: 'keys_expiring' } } },
      rowOf: (key) => ({
        id: key.id,
        name: key.name,
        owner: ownerOf(key.name, key),
        reason: `Expires ${relativeText(key.expires_at)}`,
        action: can('edit') ? 'Rotate key' : 'Open key',
        link: { to: '/keys', search: { key: key.id } },
      }),
    }),
    groupOf('tenants_without_admin', attention.tenants_without_admin, {
      tone: 'warn',
      nouns: ['tenant without admin', 'tenants without admin'],
      note: 'Active tenants without an active user of the role admin.',
      all: {
        label: 'All tenants without an admin',
        link: { to: '/tenants', search: { attention: 'no_active_admin' } },
      },
      rowOf: ({ id, name, admin_count }) => ({
        id,
        name,
        reason: admin_count > 0 ? `${counted(admin_count, 'user')}, no active admin` : 'No users',
        // An existing user can become the admin. Without users, one has to be created.
        ...(admin_count === 0 && can('edit')
          ? { action: 'Add admin', link: { to: '/users/create', search: { tenant_id: id } } }
          : { action: 'Open users', link: { to: '/tenants/$tenantId/users', params: { tenantId: id }, search: {} } }),
      }),
    }),
    groupOf('reviews_low', attention.reviews_low, {
      tone: 'quiet',
      nouns: ['low rating', 'low ratings'],
      note: `One or two stars, new in the last ${LOW_RATING_DAYS} days.`,
      all: { label: 'All tenants with low ratings', link: { to: '/tenants', search: LOW_ONLY } },
      rowOf: lowRating,
    }),
    groupOf('tasks_paused', attention.tasks_paused, {
      tone: 'quiet',
      nouns: ['task paused', 'tasks paused'],
      note: 'Paused tasks do not run until someone resumes them.',
      all: { label: 'All paused tasks', link: { to: '/tasks', search: { state: 'paused' } } },
      rowOf: (task) => taskRow(task, task.reason ?? 'Paused by an admin', can('edit') ? 'Resume task' : 'Open task'),
    }),
  ]
  return groups.filter(({ rows }) => rows.length > 0)
}

/** A generated name contains the tenant's name. */
function ownerOf(name: string, { tenant_name }: { tenant_name: string }): string | undefined {
  return name.includes(tenant_name) ? undefined : tenant_name
}

function taskRow(task: AttentionTask, reason: string, action = 'Open task'): AttentionRow {
  const name = placeLabel(task)
  const link = { to: '/tasks/$taskId', params: { taskId: task.id } } as const
  return { id: task.id, name, owner: ownerOf(name, task), reason, action, link }
}

type Records<Item> = { count: number; is_more: boolean; first: Item[] }
type GroupProps<Item> = Pick<AttentionGroup, 'tone' | 'note' | 'all'> & {
  nouns: readonly [one: string, many: string]
  rowOf: (item: Item) => AttentionRow
}

function groupOf<Item>(
  id: AttentionGroup['id'],
  { count, is_more, first }: Records<Item>,
  { nouns: [one, many], rowOf, ...props }: GroupProps<Item>,
): AttentionGroup {
  return {
    id,
    count: `${countText(count)}${is_more ? '+' : ''}`,
    noun: count === 1 ? one : many,
    rows: first.map(rowOf),
    ...props,
  }
}

/** Keys of inactive tenants are refused on purpose. */
function refusedNote({ of_inactive_tenants: others }: Attention['keys_refused']): string {
  const note = `Last ${REFUSED_DAYS} days, keys of active tenants.`
  if (others === 0) return note
  return others === 1
    ? `${note} Another refused key belongs to an inactive tenant.`
    : `${note} Another ${countText(others)} refused keys belong to inactive tenants.`
}

type Refusal = { reason: string; remedy: string | null }

/** Why the calls of a key are refused now, or were refused before, and what mends it. */
function refusalOf(key: RefusedKey): Pick<AttentionRow, 'reason' | 'action'> {
  const { reason, remedy } = refusalByState(key) ?? refusalOfWorkingKey(key)
  return { reason, action: remedy !== null && can('edit') ? remedy : 'Open key' }
}

function refusalByState({ state, refusals, expires_at, reported_at }: RefusedKey): Refusal | null {
  if (state === 'switched_off' && reported_at !== null) return { reason: 'Reported as leaked', remedy: null }
  if (state === 'revoked' && refusals.is_replaced) return STATE_REFUSALS.grace_ended
  if (state === 'expired' && expires_at !== null)
    return { ...STATE_REFUSALS.expired, reason: `Expired on ${shortDayText(expires_at)}` }
  return STATE_REFUSALS[state]
}

const STATE_REFUSALS = {
  working: null,
  expiring: null,
  in_grace: null,
  expired: { reason: 'Expired', remedy: 'Extend key' },
  grace_ended: { reason: 'Replaced, and still in use', remedy: null },
  switched_off: { reason: 'The key is inactive', remedy: 'Activate key' },
  revoked: { reason: 'Revoked', remedy: null },
  blocked: { reason: 'The tenant is inactive', remedy: null },
} satisfies Record<RefusedKey['state'], Refusal | null>

function refusalOfWorkingKey({ refusals, refused_origin: origin, allowed_origins }: RefusedKey): Refusal {
  if (refusals.outcome !== 'origin_refused') return { reason: PAST_REASONS[refusals.outcome], remedy: null }
  if (origin === null) return { reason: 'The calls name no origin', remedy: null }
  if (isOriginAllowed(allowed_origins, origin)) return { reason: `${origin} is allowed now`, remedy: null }
  const isAllowable = allowedOriginFor(origin) !== null
  return { reason: `${origin} is not an allowed origin`, remedy: isAllowable ? 'Allow origin' : null }
}

/** Of a key that works again. */
const PAST_REASONS = {
  revoked: 'The key was revoked',
  tenant_inactive: 'The tenant was inactive',
  disabled: 'The key was inactive',
  expired: 'The key had expired',
} satisfies Record<Exclude<RefusedKey['refusals']['outcome'], 'origin_refused'>, string>

/** Leads to the new low ratings of the place. */
function lowRating(review: AttentionReview): AttentionRow {
  const { id, tenant_id: tenantId, task_id, rating, first_seen_at } = review
  const name = placeLabel(review)
  return {
    id,
    name,
    owner: ownerOf(name, review),
    reason: `${counted(rating, 'star')}, ${relativeText(first_seen_at)}`,
    action: 'Open review',
    link: { to: '/tenants/$tenantId/reviews', params: { tenantId }, search: { ...LOW_ONLY, task_id } },
  }
}
