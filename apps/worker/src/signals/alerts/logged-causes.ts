import { login } from '@switchboard/contract/auth'
import { acceptInvitation } from '@switchboard/contract/invitations'
import * as secondFactors from '@switchboard/contract/second-factors'
import { openSingleSignOn } from '@switchboard/contract/single-sign-on'
import { updateMember } from '@switchboard/contract/team'
import { updateUser } from '@switchboard/contract/users'
import type { Cause } from '@switchboard/database/alerts/causes.queries'
import type { LogEntry } from '@switchboard/database/audit/read-log'

type LoggedKind = 'new_sign_in' | 'access_changed'

/** The alerts that entries of the audit log are about, by kind. */
export function causesOfEntries(entries: readonly LogEntry[]): [LoggedKind, Cause[]][] {
  const done = entries.filter(({ outcome }) => outcome === 'done')
  return [
    ['new_sign_in', done.flatMap((entry) => causeOf(entry, newSignIn(entry)))],
    ['access_changed', done.flatMap((entry) => causeOf(entry, accessChange(entry)))],
  ]
}

function causeOf({ seq, actor_id, target_id, target_name }: LogEntry, text: string | null): Cause[] {
  if (text === null) return []
  return [
    { cause: String(seq), text, target_type: 'user', target_id: target_id ?? actor_id, target_name, tenant_id: null },
  ]
}

function newSignIn({ action, actor_email, address, changes }: LogEntry): string | null {
  if (action !== login.schema.operationId || changes['is_new_place']?.after !== true) return null
  return `${actor_email} signed in from a new device or network: ${String(changes['device']?.after)}, ${address}.`
}

/** Changes of an account that their entries say completely. */
const ACCOUNT_CHANGES: Readonly<Record<string, (entry: LogEntry) => string>> = {
  [secondFactors.addTotp.schema.operationId]: ({ actor_email }) => `${actor_email} added an authenticator app.`,
  [secondFactors.addPasskey.schema.operationId]: ({ actor_email }) => `${actor_email} added a passkey.`,
  [secondFactors.deleteSecondFactor.schema.operationId]: ({ actor_email }) => `${actor_email} removed a second factor.`,
  [secondFactors.renewRecoveryCodes.schema.operationId]: ({ actor_email }) => `${actor_email} made new recovery codes.`,
  [secondFactors.resetSecondFactor.schema.operationId]: ({ actor_email, target_name }) =>
    `The second factors of ${target_name} were removed by ${actor_email}.`,
  [acceptInvitation.schema.operationId]: ({ actor_email }) => `${actor_email} joined the team.`,
  'super_admins.create': ({ target_name }) => `The super admin ${target_name} was created on the server.`,
  'super_admins.reset-password': ({ target_name }) => `The password of ${target_name} was replaced on the server.`,
}

/** Changes of a user, of which only another role counts. */
const ROLE_CHANGES: readonly string[] = [updateMember, updateUser, openSingleSignOn].map(
  ({ schema }) => schema.operationId,
)

function accessChange(entry: LogEntry): string | null {
  const { action, actor_email, target_name, tenant_id, changes } = entry
  const role = changes['role']
  if (ROLE_CHANGES.includes(action) && role !== undefined && tenant_id === null) {
    const roles = [role.before, role.after].map((one) => String(one).replaceAll('_', ' '))
    return `The role of ${target_name} was changed from ${roles[0]} to ${roles[1]} by ${actor_email}.`
  }
  return ACCOUNT_CHANGES[action]?.(entry) ?? null
}
