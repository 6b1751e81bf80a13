import type { Role } from '@switchboard/contract/auth/current-admin'
import type { TenantRole, User } from '@switchboard/contract/users'
import { counted } from '#src/lib/format/count.ts'

/** Labels of roles and states, in badges, forms and filters. */
export const ROLE_LABELS = {
  super_admin: 'Super admin',
  admin: 'Admin',
  manager: 'Manager',
  user: 'User',
} satisfies Record<Role, string>

export const ROLE_OPTIONS = [
  { value: 'admin', label: ROLE_LABELS.admin },
  { value: 'manager', label: ROLE_LABELS.manager },
  { value: 'user', label: ROLE_LABELS.user },
] satisfies { value: TenantRole; label: string }[]

export const ACTIVE_OPTIONS = [
  { value: 'true', label: 'Active' },
  { value: 'false', label: 'Inactive' },
] as const

type Toggled = Pick<User, 'email' | 'is_active'>

/** The result of a toggle: "jo@example.com was deactivated and signed out of 2 devices." */
export function toggledText({ email, is_active }: Toggled, endedSessions: number): string {
  if (is_active) return `${email} was activated and can sign in again.`
  if (endedSessions === 0) return `${email} was deactivated and cannot sign in.`
  return `${email} was deactivated and signed out of ${counted(endedSessions, 'device')}.`
}

/** The result of the undo of a toggle. Ended sessions stay ended. */
export function undoneText({ email, is_active }: Toggled, endedSessions: number): string {
  if (!is_active) return `${email} is inactive again.`
  return endedSessions === 0 ? `${email} is active again.` : `${email} is active again and has to sign in again.`
}
