import type { TenantRole, User } from '@switchboard/contract/users'
import { counted } from '#src/lib/format/count.ts'
import type { Tone } from '#src/ui/badge/badge.tsx'
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

type Access = Pick<User, 'is_active' | 'tenant_id' | 'has_password' | 'invitation'>

/** Whether the user of a tenant has yet to choose a first password. */
export function isWithoutPassword({ tenant_id, has_password }: Pick<Access, 'tenant_id' | 'has_password'>): boolean {
  return tenant_id !== null && !has_password
}

/** State of a user as a badge. An active user without a password cannot sign in yet. */
export function userBadge(user: Access, now: number): { tone: Tone; text: string } {
  if (!user.is_active) return { tone: 'bad', text: 'Inactive' }
  if (!isWithoutPassword(user)) return { tone: 'ok', text: 'Active' }
  if (user.invitation === null) return { tone: 'warn', text: 'No password' }
  const { mail_state, expires_at } = user.invitation
  if (mail_state === 'failed') return { tone: 'bad', text: 'Mail failed' }
  if (mail_state !== 'queued' && Date.parse(expires_at) <= now) return { tone: 'warn', text: 'Invitation expired' }
  return { tone: 'info', text: 'Invited' }
}

type Toggled = Pick<User, 'email' | 'is_active' | 'tenant_id' | 'tenant_status' | 'has_password'>

/** The result of a toggle: "jo@example.com was deactivated and signed out of 2 devices." */
export function toggledText(user: Toggled, endedSessions: number): string {
  const { email, is_active, tenant_id, tenant_status } = user
  const place = tenant_id === null ? 'the console' : "the tenant's portal"
  if (is_active && isWithoutPassword(user)) return `${email} was activated. An invitation lets them choose a password.`
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
