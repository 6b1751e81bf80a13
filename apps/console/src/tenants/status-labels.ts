import type { StatusEffects } from '@switchboard/contract/tenants'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import { counted } from '#src/lib/format/count.ts'

type Effects = Pick<StatusEffects, 'api_key_count' | 'task_count'>

/** The effect of a saved status: "4 keys are refused and 1 task is skipped."; empty without an effect. */
export function effectsNow(status: TenantStatus, { api_key_count: keys, task_count: tasks }: Effects): string {
  const isActive = status === 'active'
  const parts = [
    keys > 0 && `${counted(keys, 'key')} ${keys === 1 ? 'is' : 'are'} ${isActive ? 'accepted' : 'refused'}`,
    tasks > 0 && `${counted(tasks, 'task')} ${isActive ? runAgain(tasks) : tasks === 1 ? 'is skipped' : 'are skipped'}`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : `${parts.join(' and ')}.`
}

function runAgain(tasks: number): string {
  return tasks === 1 ? 'runs again' : 'run again'
}
