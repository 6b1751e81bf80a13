import type { Role } from '@switchboard/contract/auth/current-admin'
import type { TenantRole } from '@switchboard/contract/users'

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
