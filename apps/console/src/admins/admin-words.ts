import type { Role } from '@switchboard/contract/admins'
import type { TenantRole } from '@switchboard/contract/tenant-admins'

/** The words for a role and a status, in badges, forms and filters. */
export const ROLE_WORDS = {
  super_admin: 'Super admin',
  admin: 'Admin',
  manager: 'Manager',
  user: 'User',
} satisfies Record<Role, string>

export const ROLE_OPTIONS = [
  { value: 'admin', label: ROLE_WORDS.admin },
  { value: 'manager', label: ROLE_WORDS.manager },
  { value: 'user', label: ROLE_WORDS.user },
] satisfies { value: TenantRole; label: string }[]

export const ACTIVE_OPTIONS = [
  { value: 'true', label: 'Active' },
  { value: 'false', label: 'Inactive' },
] as const
