import { type EventType, eventOf } from '@switchboard/contract/signals/events'
import type { Cause } from '@switchboard/database/alerts/causes.queries'
import type { LogEntry } from '@switchboard/database/audit/read-log'

type LoggedKind = 'new_sign_in' | 'access_changed'

/** The alerts that entries of the audit log are about, by kind. */
export function causesOfEntries(entries: readonly LogEntry[]): [LoggedKind, Cause[]][] {
  return [
    ['new_sign_in', entries.flatMap((entry) => causeOf(entry, SIGN_INS))],
    ['access_changed', entries.flatMap((entry) => causeOf(entry, ACCESS_CHANGES))],
  ]
}

/** A sentence for each type of event that is a cause. Null: this event is none. */
type Sentences = { [Type in EventType]?: (entry: LogEntry) => string | null }

function causeOf(entry: LogEntry, sentences: Sentences): Cause[] {
  const event = eventOf(entry)
  const text = event === null ? null : (sentences[event.type]?.(entry) ?? null)
  if (text === null) return []
  const { seq, actor_id, target_id, target_name } = entry
  return [
    { cause: String(seq), text, target_type: 'user', target_id: target_id ?? actor_id, target_name, tenant_id: null },
  ]
}

const SIGN_INS: Sentences = {
  'session.created': ({ actor_email, address, changes }) =>
    changes['is_new_place']?.after === true
      ? `${actor_email} signed in from a new device or network: ${String(changes['device']?.after)}, ${address}.`
      : null,
}

const ACCESS_CHANGES: Sentences = {
  'second_factor.added': ({ action, actor_email }) =>
    `${actor_email} added ${action === 'second_factors.add_passkey' ? 'a passkey' : 'an authenticator app'}.`,
  'second_factor.removed': ({ actor_email }) => `${actor_email} removed a second factor.`,
  'second_factor.recovery_codes_generated': ({ actor_email }) => `${actor_email} generated new recovery codes.`,
  'second_factor.reset': ({ actor_email, target_name }) =>
    `The second factors of ${target_name} were removed by ${actor_email}.`,
  'member.joined': ({ action, actor_email, target_name }) => {
    // The first start is no news.
    if (action === 'super_admins.first') return null
    if (action === 'super_admins.create') return `The super admin ${target_name} was created on the server.`
    return `${actor_email} joined the team.`
  },
  'member.role_changed': roleChange,
  'member.activated': roleChange,
  'member.deactivated': roleChange,
  'member.role_lost': ({ target_name }) =>
    `The identity provider gives ${target_name} no role any more, so all access has ended.`,
  'member.restored': ({ actor_email, target_name }) =>
    `The removed member ${target_name} was restored by ${actor_email}.`,
  'member.password_changed': ({ action, target_name }) =>
    action === 'super_admins.reset-password' ? `The password of ${target_name} was replaced on the server.` : null,
}

/** An event that has another type may be a change of the role too. */
function roleChange({ actor_email, target_name, changes: { role } }: LogEntry): string | null {
  if (role === undefined) return null
  const [before, after] = [role.before, role.after].map((one) => String(one).replaceAll('_', ' '))
  return `The role of ${target_name} was changed from ${before} to ${after} by ${actor_email}.`
}
