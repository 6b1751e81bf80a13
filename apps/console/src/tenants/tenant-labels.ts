import type { StatusEffects, Tenant, TenantAttention, TenantType } from '@switchboard/contract/tenants'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import { serverNow } from '#src/lib/server-clock.ts'
import type { Tone } from '#src/ui/badge/badge.tsx'
import { counted, countText } from '#src/lib/format/count.ts'
import { shortDayText, timeText } from '#src/lib/format/moment.ts'

type Effects = Pick<StatusEffects, 'api_key_count' | 'task_count'>

/** Labels of a tenant's status and type in forms and filters. */
export const STATUS_OPTIONS = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] satisfies { value: TenantStatus; label: string }[]

export const TYPE_OPTIONS = [
  { value: 'product', label: 'Product Company' },
  { value: 'service', label: 'Service Company' },
] satisfies { value: TenantType; label: string }[]

export const ATTENTION_OPTIONS = [
  { value: 'no_active_admin', label: 'Without an active admin' },
  { value: 'keys_reported', label: 'With leaked keys' },
  { value: 'keys_expiring', label: 'With keys expiring soon' },
  { value: 'keys_refused', label: 'With refused keys' },
  { value: 'reviews_low', label: 'With new low ratings' },
] satisfies { value: TenantAttention; label: string }[]

export const TYPE_BADGES = {
  product: { tone: 'outline', text: 'Product' },
  service: { tone: 'outline', text: 'Service' },
} satisfies Record<TenantType, { tone: Tone; text: string }>

/**
 * The effect of a status before it is saved: "4 keys will be refused and 1 task skipped within a second." Without counts, the
 * effect in general.
 */
export function effectsAhead(status: TenantStatus, effects: Effects | undefined): string {
  if (effects === undefined)
    return status === 'active' ? 'Keys will be accepted and tasks will run.' : 'Keys will be refused and tasks skipped.'
  const { api_key_count: keys, task_count: tasks } = effects
  const ofKeys = `${counted(keys, 'key')} will be ${status === 'active' ? 'accepted' : 'refused'}`
  const ofTasks = (auxiliary: string) =>
    `${counted(tasks, 'task')} ${status === 'active' ? 'will run' : `${auxiliary}skipped`}`
  if (keys === 0 && tasks === 0) return 'The tenant has no working key and no task that runs.'
  if (keys === 0) return `${ofTasks('will be ')}.`
  return `${ofKeys}${tasks === 0 ? '' : ` and ${ofTasks('')}`} within a second.`
}

/** What a suspension breaks: "2 keys will be refused within a second.". Without counts, the effect in general. */
export function suspensionEffects(effects: StatusEffects | undefined): string[] {
  if (effects === undefined)
    return [
      'Its keys will be refused within a second. Some may have been used in the last hour.',
      'Its tasks will be skipped.',
    ]
  const { api_key_count: keys, used_api_key_count: used, task_count: tasks } = effects
  const lines = [
    keys > 0 && `${counted(keys, 'key')} will be refused within a second.`,
    used > 0 && `${counted(used, 'key')} ${used === 1 ? 'was' : 'were'} used in the last hour.`,
    tasks > 0 && `${counted(tasks, 'task')} will be skipped.`,
  ].filter((line) => line !== false)
  return lines.length === 0 ? ['The tenant has no working key and no task that runs.'] : lines
}

/** The effect of a saved status: "4 keys are refused and 1 task is skipped."; empty without an effect. */
export function effectsNow(status: TenantStatus, { api_key_count: keys, task_count: tasks }: Effects): string {
  const isActive = status === 'active'
  const parts = [
    keys > 0 && `${counted(keys, 'key')} ${keys === 1 ? 'is' : 'are'} ${isActive ? 'accepted' : 'refused'}`,
    tasks > 0 && `${counted(tasks, 'task')} ${isActive ? runAgain(tasks) : tasks === 1 ? 'is skipped' : 'are skipped'}`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : `${parts.join(' and ')}.`
}

/** The effect of a new status for several tenants: "12 keys (3 used in the last hour) and 5 tasks are affected." */
export function bulkEffectsText(status: TenantStatus, selected: number, effects: StatusEffects): string {
  const { tenant_count, api_key_count, used_api_key_count, task_count } = effects
  const used = used_api_key_count > 0 ? ` (${countText(used_api_key_count)} used in the last hour)` : ''
  const affected = `${counted(api_key_count, 'key')}${used} and ${counted(task_count, 'task')} are affected.`
  const unchanged = selected - tenant_count
  return unchanged === 0
    ? affected
    : `${affected} ${counted(unchanged, 'tenant')} ${unchanged === 1 ? 'is' : 'are'} ${status} already.`
}

/** A suspension without its reason: "Suspended since Nov 17, until Nov 24, 12:00". */
export function suspensionText(
  { suspended_at: since, suspended_until: until }: Pick<Tenant, 'suspended_at' | 'suspended_until'>,
  now = serverNow(),
): string {
  const times = [
    since !== null && `since ${shortDayText(since, now)}`,
    until !== null && `until ${timeText(until, now)}`,
  ]
  return ['Suspended', times.filter((text) => text !== false).join(', ')].join(' ').trim()
}

function runAgain(tasks: number): string {
  return tasks === 1 ? 'runs again' : 'run again'
}
