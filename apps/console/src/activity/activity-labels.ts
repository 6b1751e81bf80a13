import type { AuditRow, AuditTargetType } from '@switchboard/contract/activity'
import { type ActionLabels, SIGN_IN_ACTION_LABELS } from './sign-in-action-labels.ts'

const ACTIVE = { field: 'is_active', on: 'Activated', off: 'Deactivated' }

/** Every action of the audit log, in the order of the filter. A test compares them with the contract's endpoints. */
export const ACTION_LABELS: Readonly<Record<string, ActionLabels>> = {
  ...SIGN_IN_ACTION_LABELS,
  'tenants.create': { label: 'Created tenant', done: 'Created', tried: 'create', noun: 'tenant' },
  'tenants.import': { label: 'Imported tenant', done: 'Imported', tried: 'import', noun: 'tenant' },
  'tenants.update': { label: 'Changed tenant', done: 'Changed', tried: 'change', noun: 'tenant' },
  'tenants.delete': { label: 'Deleted tenant', done: 'Deleted', tried: 'delete', noun: 'tenant' },
  'tenants.restore': { label: 'Restored tenant', done: 'Restored', tried: 'restore', noun: 'tenant' },
  'tenants.purge': {
    label: 'Deleted tenant permanently',
    done: 'Deleted permanently',
    tried: 'delete permanently',
    noun: 'tenant',
  },
  'notes.create': { label: 'Added note', done: 'Added a note to', tried: 'add a note to', noun: 'tenant' },
  'notes.update': { label: 'Changed note', done: 'Changed a note on', tried: 'change a note on', noun: 'tenant' },
  'notes.delete': { label: 'Removed note', done: 'Removed a note from', tried: 'remove a note from', noun: 'tenant' },
  'users.create': { label: 'Created user', done: 'Created', tried: 'create', noun: 'user' },
  'users.import': { label: 'Imported user', done: 'Imported', tried: 'import', noun: 'user' },
  'users.toggle': {
    label: 'Activated or deactivated user',
    done: 'Changed',
    tried: 'activate or deactivate',
    noun: 'user',
    switched: ACTIVE,
  },
  'users.password': {
    label: 'Changed own password at a portal',
    done: 'Changed their own password',
    tried: 'change their own password',
  },
  'users.update': { label: 'Changed user', done: 'Changed', tried: 'change', noun: 'user' },
  'users.set_password': {
    label: 'Set password of user',
    done: 'Set the password of',
    tried: 'set the password of',
    noun: 'user',
  },
  'users.delete': { label: 'Deleted user', done: 'Deleted', tried: 'delete', noun: 'user' },
  'users.restore': { label: 'Restored user', done: 'Restored', tried: 'restore', noun: 'user' },
  'team.update': { label: 'Changed member', done: 'Changed', tried: 'change', noun: 'member', switched: ACTIVE },
  'team.remove': { label: 'Removed member', done: 'Removed', tried: 'remove', noun: 'member' },
  'team.end_session': {
    label: 'Ended session of member',
    done: 'Ended a session of',
    tried: 'end a session of',
    noun: 'member',
  },
  'team.end_sessions': {
    label: 'Ended all sessions of member',
    done: 'Ended all sessions of',
    tried: 'end all sessions of',
    noun: 'member',
  },
  'api_keys.create': { label: 'Generated API key', done: 'Generated', tried: 'generate', noun: 'API key' },
  'api_keys.update': { label: 'Changed API key', done: 'Changed', tried: 'change', noun: 'API key' },
  'api_keys.toggle': {
    label: 'Activated or deactivated API key',
    done: 'Changed',
    tried: 'activate or deactivate',
    noun: 'API key',
    switched: ACTIVE,
  },
  'api_keys.rotate': { label: 'Rotated API key', done: 'Rotated', tried: 'rotate', noun: 'API key' },
  'api_keys.end_grace': {
    label: 'Ended grace of API key',
    done: 'Ended the grace of',
    tried: 'end the grace of',
    noun: 'API key',
  },
  'api_keys.extend_grace': {
    label: 'Extended grace of API key',
    done: 'Extended the grace of',
    tried: 'extend the grace of',
    noun: 'API key',
  },
  'api_keys.delete': { label: 'Deleted API key', done: 'Deleted', tried: 'delete', noun: 'API key' },
  'api_keys.restore': { label: 'Restored API key', done: 'Restored', tried: 'restore', noun: 'API key' },
  'tasks.create': { label: 'Scheduled task', done: 'Scheduled', tried: 'schedule', noun: 'task' },
  'tasks.update': {
    label: 'Changed task',
    done: 'Changed',
    tried: 'change',
    noun: 'task',
    switched: { field: 'is_paused', on: 'Paused', off: 'Resumed' },
  },
  'tasks.run': { label: 'Ran task', done: 'Ran', tried: 'run', noun: 'task' },
  'tasks.delete': { label: 'Deleted task', done: 'Deleted', tried: 'delete', noun: 'task' },
  'tasks.restore': { label: 'Restored task', done: 'Restored', tried: 'restore', noun: 'task' },
  'places.generate_id': { label: 'Looked up place', done: 'Looked up a place', tried: 'look up a place' },
  'prompts.save': {
    label: 'Published template',
    done: 'Published a new version of',
    tried: 'publish a version of',
    noun: 'template',
  },
  'prompts.restore': {
    label: 'Restored template',
    done: 'Restored an old version of',
    tried: 'restore a version of',
    noun: 'template',
  },
  'tenants.bulk': { label: 'Changed many tenants', done: 'Changed many tenants', tried: 'change many tenants' },
  'users.bulk': { label: 'Changed many users', done: 'Changed many users', tried: 'change many users' },
  'api_keys.bulk': { label: 'Changed many API keys', done: 'Changed many API keys', tried: 'change many API keys' },
  'tasks.bulk': { label: 'Changed many tasks', done: 'Changed many tasks', tried: 'change many tasks' },
  'runs.bulk': { label: 'Retried many runs', done: 'Retried many runs', tried: 'retry many runs' },
  'tenants.export': { label: 'Exported tenants', done: 'Exported tenants', tried: 'export tenants' },
  'users.export': { label: 'Exported users', done: 'Exported users', tried: 'export users' },
  'api_keys.export': { label: 'Exported API keys', done: 'Exported API keys', tried: 'export API keys' },
  'tasks.export': { label: 'Exported tasks', done: 'Exported tasks', tried: 'export tasks' },
  'runs.export': { label: 'Exported runs', done: 'Exported runs', tried: 'export runs' },
  'audit.export': { label: 'Exported activity', done: 'Exported activity', tried: 'export activity' },
  'reviews.list': { label: 'Read all reviews', done: 'Read all reviews', tried: 'read all reviews' },
  'portal_sign_ins.list': {
    label: 'Read all portal sign-ins',
    done: 'Read all portal sign-ins',
    tried: 'read all portal sign-ins',
  },
  'tokens.create': { label: 'Created machine token', done: 'Created', tried: 'create', noun: 'machine token' },
  'tokens.revoke': { label: 'Revoked machine token', done: 'Revoked', tried: 'revoke', noun: 'machine token' },
  'tokens.use': { label: 'Used machine token', done: 'Used', tried: 'use', noun: 'machine token' },
  'system.back_up': { label: 'Started backup', done: 'Started a backup', tried: 'start a backup' },
  'super_admins.first': {
    label: 'Created first super admin',
    done: 'Created the first',
    tried: 'create',
    noun: 'super admin',
  },
  'super_admins.create': { label: 'Created super admin', done: 'Created', tried: 'create', noun: 'super admin' },
  'super_admins.reset-password': {
    label: 'Reset password of super admin',
    done: 'Reset the password of',
    tried: 'reset the password of',
    noun: 'super admin',
  },
}

/** The headings of the actions in the filter, by the first part of their names. */
const ACTION_GROUPS: readonly (readonly [heading: string, nouns: readonly string[]])[] = [
  ['Tenants', ['tenants', 'notes']],
  ['Users', ['users', 'portal_sign_ins']],
  ['API keys', ['api_keys']],
  ['Tasks and reviews', ['tasks', 'runs', 'places', 'reviews']],
  ['Prompt', ['prompts']],
  ['Team', ['team', 'invitations', 'super_admins']],
  ['Tokens', ['tokens']],
  ['System', ['system', 'mail', 'audit']],
]
/** The heading of all other actions: sign-ins, and the security of one's account. */
const SIGN_IN_GROUP = 'Sign-ins and accounts'

/** The actions by their headings. */
export const ACTION_OPTIONS = Object.entries(ACTION_LABELS)
  .map(([value, { label }]) => {
    const noun = value.split('.')[0] ?? ''
    const at = ACTION_GROUPS.findIndex(([, nouns]) => nouns.includes(noun))
    return { value, label, group: ACTION_GROUPS[at]?.[0] ?? SIGN_IN_GROUP, at: at === -1 ? ACTION_GROUPS.length : at }
  })
  .toSorted((one, other) => one.at - other.at)

export const TARGET_TYPE_LABELS = {
  tenant: 'Tenant',
  user: 'User',
  api_key: 'API key',
  task: 'Task',
  prompt: 'Template',
  addendum: 'Addendum',
  session: 'Session',
  token: 'Machine token',
} satisfies Record<AuditTargetType, string>

export const TARGET_TYPE_OPTIONS = Object.entries(TARGET_TYPE_LABELS).map(([value, label]) => ({ value, label }))

export const OUTCOME_BADGES = {
  done: { tone: 'ok', text: 'Done' },
  refused: { tone: 'bad', text: 'Refused' },
} as const

export const OUTCOME_OPTIONS = Object.entries(OUTCOME_BADGES).map(([value, { text }]) => ({ value, label: text }))

const FIELD_LABELS: Readonly<Record<string, string>> = {
  email: 'email address',
  expires_at: 'expiry',
  extra_data: 'place',
  is_active: 'active',
  is_paused: 'paused',
  suspended_until: 'end of the suspension',
  suspension_reason: 'reason of the suspension',
  tenant_id: 'tenant',
  tenant_type: 'business type',
}

/** Label of a field: "allowed origins". */
export function fieldLabel(field: string): string {
  return FIELD_LABELS[field] ?? field.replaceAll('_', ' ')
}

/** The actor of a timeline: the part of the address before the "@". */
export function shortActorText(actor_email: string | null): string {
  const text = actorText({ actor_email })
  return isAddress(text) ? text.slice(0, text.indexOf('@')) : text
}

/** The actor: an address, or the capitalized name of a system actor. */
export function actorText({ actor_email }: Pick<AuditRow, 'actor_email'>): string {
  if (actor_email === null) return 'Unknown'
  return isAddress(actor_email) ? actor_email : actor_email.charAt(0).toUpperCase() + actor_email.slice(1)
}

/** Whether an actor is named by an email address. System actors and machine tokens are not. */
export function isAddress(actor: string): boolean {
  return /^[^" ]+@/.test(actor)
}

type SentenceFields = Pick<AuditRow, 'action' | 'outcome' | 'changed' | 'target_type' | 'target_id' | 'target_name'>

/** Sentence of an entry: `text`, followed by the name of the target if known. */
export function sentenceOf(row: SentenceFields): { text: string; name: string | null } {
  const labels = ACTION_LABELS[row.action]
  const name = targetText(row)
  // An action of a newer release has no label in an open older page.
  if (labels === undefined) return { text: row.outcome === 'done' ? row.action : `Could not do ${row.action}:`, name }
  const verb = row.outcome === 'done' ? doneText(labels, row) : `Could not ${labels.tried}`
  if (labels.noun === undefined) return { text: verb, name: null }
  // The name of an addendum is the name of its tenant.
  const noun = row.target_type === 'addendum' ? 'addendum of' : labels.noun
  return name === null
    ? { text: `${verb} ${noun.startsWith('API') ? 'an' : 'a'} ${noun}`, name }
    : { text: `${verb} ${/^Changed the | first$/.test(verb) ? '' : 'the '}${noun}`, name }
}

/** "Created the tenant Harbor Dental", for accessible names, titles and files. */
export function sentenceText(row: SentenceFields): string {
  const { text, name } = sentenceOf(row)
  return name === null ? text : `${text} ${name}`
}

/** Name of the target, or the start of its id. */
export function targetText({ target_name, target_id }: Pick<AuditRow, 'target_name' | 'target_id'>): string | null {
  return target_name ?? target_id?.slice(0, 8) ?? null
}

function doneText({ done, noun, switched }: ActionLabels, { action, changed }: SentenceFields): string {
  const fields = Object.keys(changed)
  // A suspension has its reason and end in the same change.
  if (changed['status']) return changed['status'] === 'inactive' ? 'Suspended' : 'Reactivated'
  const state = switched && fields.length === 1 ? changed[switched.field] : undefined
  // A rotation has two rows; this is the row of the new key.
  if (action === 'api_keys.rotate' && 'rotated_from' in changed) return 'Rotated to'
  if (switched && typeof state === 'boolean') return state ? switched.on : switched.off
  if (action === 'auth.profile' && fields.length > 0) return `Changed their own ${listOf(fields)}`
  return done === 'Changed' && noun !== undefined && fields.length > 0 ? `Changed the ${listOf(fields)} of` : done
}

const list = new Intl.ListFormat('en-US')

/** "goal, status, and role". */
function listOf(fields: string[]): string {
  return list.format(fields.map(fieldLabel))
}
