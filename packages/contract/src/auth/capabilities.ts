import type { ConsoleRole } from './current-admin.ts'

/**
 * Permissions of those who run the console. Each endpoint of admin-api names one.
 *
 * - `own_account`: the caller's own profile, password, second factor and sessions
 * - `view`: every list and record, without secrets
 * - `export`: lists as CSV
 * - `edit`: creates and changes tenants, users, API keys, tasks and notes
 * - `delete`: deletes and restores tenants, users, API keys and tasks
 * - `publish`: saves and restores prompt templates
 * - `team`: the people who run the console
 * - `security`: sign-in rules and the mail server
 * - `tokens`: service tokens
 * - `signals`: webhooks, alerts and log shipping
 * - `system`: the servers: their health, settings and backups
 */
const CAPABILITIES = [
  'own_account',
  'view',
  'export',
  'edit',
  'delete',
  'publish',
  'team',
  'security',
  'tokens',
  'signals',
  'system',
] as const
export type Capability = (typeof CAPABILITIES)[number]

/** The capabilities of each role. */
export const ROLE_CAPABILITIES: Readonly<Record<ConsoleRole, readonly Capability[]>> = {
  super_admin: CAPABILITIES,
  support: ['own_account', 'view', 'export', 'edit'],
  auditor: ['own_account', 'view', 'export'],
}

/** The answer to a call that the role of the caller does not allow. */
export const ROLE_REFUSED = 'Your role does not allow this.'

/** Whether a role has a capability. A call without a capability is refused to every role. */
export function isAllowed(role: ConsoleRole, capability: Capability | undefined): boolean {
  return capability !== undefined && ROLE_CAPABILITIES[role].includes(capability)
}
