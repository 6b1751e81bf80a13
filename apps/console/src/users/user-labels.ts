import type { TenantRole, User } from '@switchboard/contract/users'
import { counted } from '#src/lib/format/count.ts'
import { ROLE_LABELS } from './role-labels.ts'

/** Labels of roles and states, in forms and filters. */
export const ROLE_OPTIONS = [
  { value: 'admin', label: ROLE_LABELS.admin },
  { value: 'manager', label: ROLE_LABELS.manager },
  { value: 'user', label: ROLE_LABELS.user },
] satisfies { value: TenantRole; label: string }[]

export const ACTIVE_OPTIONS = [
  { value: 'true', label: 'Active' },
  { value: 'false', label: 'Inactive' },
] as const

/** In place of the tenant of a user without one. */
export function withoutTenant({ role }: Pick<User, 'role'>): string {
  return role === 'super_admin' ? 'System Admin' : 'Team'
}

type Toggled = Pick<User, 'email' | 'is_active' | 'tenant_id' | 'tenant_status'>

/** The result of a toggle: "jo@example.com was deactivated and signed out of 2 devices." */
export function toggledText({ email, is_active, tenant_id, tenant_status }: Toggled, endedSessions: number): string {
  const place = tenant_id === null ? 'the console' : "the tenant's portal"
  if (is_active && tenant_status === 'inactive')
    return `${email} was activated and can sign in to ${place} once the tenant is active.`
  if (is_active) return `${email} was activated and can sign in to ${place} again.`
  if (endedSessions === 0) return `${email} was deactivated and cannot sign in to ${place}.`
  return `${email} was deactivated and signed out of ${counted(endedSessions, 'device')}.`
}

/** The result of the undo of a toggle. Ended sessions stay ended. */
export function undoneText({ email, is_active }: Pick<Toggled, 'email' | 'is_active'>, endedSessions: number): string {
  if (!is_active) return `${email} is inactive again.`
  return endedSessions === 0 ? `${email} is active again.` : `${email} is active again and has to sign in again.`
}
