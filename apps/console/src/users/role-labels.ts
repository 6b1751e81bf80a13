import type { Role } from '@switchboard/contract/auth/current-admin'

/** Labels of roles. Separate from the other labels of users, because every screen loads these. */
export const ROLE_LABELS = {
  super_admin: 'Super admin',
  support: 'Support',
  auditor: 'Auditor',
  admin: 'Admin',
  manager: 'Manager',
  user: 'User',
} satisfies Record<Role, string>
