import { EXPIRING_DAYS, REFUSED_DAYS } from '@switchboard/contract/api-keys/key-outcomes'
import type { Attention } from '@switchboard/contract/dashboard'
import { LOW_RATING_DAYS } from '@switchboard/contract/reviews/low-ratings'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { LATE_AFTER_MINUTES } from '@switchboard/contract/tasks/task-state'
import type { Tenant } from '@switchboard/contract/tenants'
import type { TenantHealth } from '@switchboard/contract/tenants/tenant-health'
import { REFUSAL_LABELS } from '#src/api-keys/key-outcome-labels.ts'
import { shortActorText } from '#src/activity/actor-labels.ts'
import { counted, countText } from '#src/lib/format/count.ts'
import { relativeText, shortDayText, timeText } from '#src/lib/format/moment.ts'
import { serverNow } from '#src/lib/server-clock.ts'

type Tab = 'users' | 'keys' | 'tasks' | 'reviews'
type Search = { [Name in 'key' | 'state' | 'attention']?: string }
/** A button to a tab of the tenant, or to the page of a task. */
type Remedy = {
  label: string
  link:
    | { to: `/tenants/$tenantId/${Tab}`; params: { tenantId: string }; search: Search }
    | { to: '/tasks/$taskId'; params: { taskId: string } }
}

/** A problem as a sentence: what, why (may be the text of other people), and what it costs. */
export type Problem = {
  tone: 'bad' | 'warn'
  lead: string
  reason?: string | null
  cost?: string
  /** Null for a suspension, which a reactivation ends. */
  remedy: Remedy | null
}

type ShownTenant = Pick<
  Tenant,
  'id' | 'status' | 'api_key_count' | 'test_api_key_count' | 'admin_count' | 'suspended_until' | 'suspension_reason'
>
type ShownHealth = Pick<
  TenantHealth,
  'working_key_count' | 'inactive_since' | 'suspended_by' | 'refused_since' | 'scheduled_task_count'
>

/** The problems of a tenant, the worst first. A suspension explains all others. */
export function problemsOf(
  tenant: ShownTenant,
  health: ShownHealth,
  attention: Attention,
  now = serverNow(),
): Problem[] {
  if (tenant.status !== 'active') return [suspensionOf(tenant, health, now)]
  const tab: TabLink = (name, label, search = {}) => ({
    label,
    link: { to: `/tenants/$tenantId/${name}`, params: { tenantId: tenant.id }, search },
  })
  const problems = [
    leakedKeys(attention, tab),
    withoutWorkingKey(tenant, health, tab),
    refusedKeys(attention, tab),
    lateTasks(attention, tab),
    failedTasks(attention, tab),
    pausedTasks(attention),
    expiringKeys(attention, tab, now),
    // A new tenant has the next step in its head instead.
    tenant.admin_count > 0 && withoutAdmin(attention, tab),
    lowReviews(attention, tab),
  ]
  return problems.filter((problem) => problem !== false)
}

type TabLink = (name: Tab, label: string, search?: Search) => Remedy

function suspensionOf(tenant: ShownTenant, health: ShownHealth, now: number): Problem {
  const { inactive_since: since, suspended_by: by } = health
  const { suspended_until: until } = tenant
  const words = [
    'Suspended',
    by !== null && `by ${shortActorText(by)}`,
    since !== null && `on ${shortDayText(since, now)}`,
    until !== null && `until ${timeText(until, now)}`,
  ]
  return {
    tone: 'bad',
    lead: words.filter((word) => word !== false).join(' '),
    reason: tenant.suspension_reason,
    cost: costOf(tenant, health),
    remedy: null,
  }
}

/** "2 keys have refused 760 calls since, and 1 task is skipped." */
function costOf(
  tenant: ShownTenant,
  { working_key_count: keys, refused_since: calls, scheduled_task_count: tasks }: ShownHealth,
): string {
  const refusing = counted(keys, nounOf(tenant))
  const refused = calls === 0 ? 'no call' : counted(calls, 'call')
  const parts = [
    keys > 0
      ? `${refusing} ${keys === 1 ? 'has' : 'have'} refused ${refused} since`
      : calls > 0 && `${refused} ${calls === 1 ? 'was' : 'were'} refused since`,
    tasks > 0 && `${counted(tasks, 'task')} ${tasks === 1 ? 'is' : 'are'} skipped`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'No key and no task is affected.' : `${parts.join(', and ')}.`
}

function withoutWorkingKey(tenant: ShownTenant, { working_key_count }: ShownHealth, tab: TabLink): Problem | false {
  const live = tenant.api_key_count - tenant.test_api_key_count
  if (live === 0 || working_key_count > 0) return false
  const noun = nounOf(tenant)
  return {
    tone: 'bad',
    lead: live === 1 ? `The ${noun} does not work` : `None of ${counted(live, noun)} works`,
    cost: 'Every call is refused.',
    remedy: tab('keys', 'Show Keys'),
  }
}

function refusedKeys({ keys_refused: { count, is_more, first } }: Attention, tab: TabLink): Problem | false {
  const [most] = first
  if (most === undefined) return false
  const calls = first.reduce((sum, key) => sum + key.refusals.count, 0)
  const { outcome, is_replaced } = most.refusals
  const why = is_replaced ? 'replaced key still in use' : REFUSAL_LABELS[outcome]
  if (count === 1)
    return {
      tone: 'bad',
      lead: `The key ${most.name} refused ${counted(calls, 'call')} in ${REFUSED_DAYS} days`,
      reason: why,
      remedy: tab('keys', 'Open Key', { key: most.id }),
    }
  const isExact = !is_more && count === first.length
  return {
    tone: 'bad',
    lead: `${counted(count, 'key')} refused ${isExact ? '' : 'more than '}${counted(calls, 'call')} in ${REFUSED_DAYS} days`,
    cost: `${countText(most.refusals.count)} of them by ${most.name}: ${why}.`,
    remedy: tab('keys', 'Show Keys', { attention: 'keys_refused' }),
  }
}

function lateTasks({ tasks_late: { count, first } }: Attention, tab: TabLink): Problem | false {
  const [task] = first
  if (task === undefined) return false
  return {
    tone: 'bad',
    lead: `${count === 1 ? placeLabel(task) : counted(count, 'task')} ${count === 1 ? 'is' : 'are'} over ${LATE_AFTER_MINUTES} minutes late`,
    cost: 'No worker has started the run.',
    remedy: count === 1 ? ofTask(task.id) : tab('tasks', 'Show Tasks', { state: 'late' }),
  }
}

function failedTasks({ tasks_failing: { count, first } }: Attention, tab: TabLink): Problem | false {
  const [task] = first
  if (task === undefined) return false
  if (count > 1)
    return {
      tone: 'bad',
      lead: `The last runs of ${counted(count, 'task')} failed`,
      remedy: tab('tasks', 'Show Tasks', { state: 'failing' }),
    }
  return {
    tone: 'bad',
    lead: `The last run of ${placeLabel(task)} failed`,
    reason: task.reason,
    remedy: ofTask(task.id),
  }
}

/** A task that an admin paused is no problem. A task that paused itself is one. */
function pausedTasks({ tasks_paused: { first } }: Attention): Problem | false {
  const [task] = first
  if (task === undefined || task.reason === null) return false
  return { tone: 'warn', lead: `${placeLabel(task)} is paused`, reason: task.reason, remedy: ofTask(task.id) }
}

function leakedKeys({ keys_reported: { count, first } }: Attention, tab: TabLink): Problem | false {
  const [key] = first
  if (key === undefined) return false
  return {
    tone: 'bad',
    lead:
      count === 1 ? `The key ${key.name} was reported as leaked` : `${counted(count, 'key')} were reported as leaked`,
    cost:
      count === 1 ? 'Anyone may have the secret. Replace the key.' : 'Anyone may have the secrets. Replace the keys.',
    remedy:
      count === 1 ? tab('keys', 'Open Key', { key: key.id }) : tab('keys', 'Show Keys', { attention: 'keys_reported' }),
  }
}

function expiringKeys({ keys_expiring: { count, first } }: Attention, tab: TabLink, now: number): Problem | false {
  const [key] = first
  if (key === undefined) return false
  return {
    tone: 'warn',
    lead:
      count === 1
        ? `The key ${key.name} expires ${relativeText(key.expires_at, now)}`
        : `${counted(count, 'key')} expire within ${EXPIRING_DAYS} days`,
    cost: 'Rotate before the calls are refused.',
    remedy:
      count === 1 ? tab('keys', 'Open Key', { key: key.id }) : tab('keys', 'Show Keys', { attention: 'keys_expiring' }),
  }
}

function withoutAdmin({ tenants_without_admin: { count } }: Attention, tab: TabLink): Problem | false {
  const cost = 'No user with the role admin is active.'
  return count > 0 && { tone: 'warn', lead: 'No active admin', cost, remedy: tab('users', 'Show Users') }
}

function lowReviews({ reviews_low: { count } }: Attention, tab: TabLink): Problem | false {
  const lead = `${counted(count, 'new low rating')} in ${LOW_RATING_DAYS} days`
  return count > 0 && { tone: 'warn', lead, remedy: tab('reviews', 'Show Reviews', { attention: 'reviews_low' }) }
}

function nounOf({ test_api_key_count }: ShownTenant): string {
  return test_api_key_count === 0 ? 'key' : 'live key'
}

function ofTask(taskId: string): Remedy {
  return { label: 'Open Task', link: { to: '/tasks/$taskId', params: { taskId } } }
}
