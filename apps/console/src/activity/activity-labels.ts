import type { AuditRow, AuditTargetType } from '@switchboard/contract/activity'
import { ACTION_LABELS, type ActionLabels } from './action-labels.ts'

export const TARGET_TYPE_LABELS = {
  tenant: 'Tenant',
  user: 'User',
  api_key: 'API key',
  task: 'Task',
  prompt: 'Template',
  addendum: 'Addendum',
  session: 'Session',
  token: 'Service token',
  webhook: 'Webhook',
  log_sink: 'Log sink',
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
  external_id: 'external ID',
  extra_data: 'place',
  is_active: 'active',
  is_paused: 'paused',
  reported_at: 'report of the leak',
  reported_url: 'place of the leak',
  reviews_changed: 'changed reviews',
  reviews_new: 'new reviews',
  run_id: 'run ID',
  suspended_until: 'end of the suspension',
  suspension_reason: 'reason of the suspension',
  tenant_id: 'tenant',
  tenant_type: 'business type',
}

/** Label of a field: "allowed origins". */
export function fieldLabel(field: string): string {
  return FIELD_LABELS[field] ?? field.replaceAll('_', ' ')
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
