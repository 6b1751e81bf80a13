import type {
  ActivityResult,
  ApiKeyResult,
  NoteResult,
  PlaceResult,
  PromptVersionResult,
  TaskResult,
  TaskRunResult,
  TenantResult,
  UserResult,
} from '@switchboard/contract/palette'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { taskState } from '@switchboard/contract/tasks/task-state'
import {
  IconBuilding,
  IconCalendarRepeat,
  IconFileText,
  IconHistory,
  IconKey,
  IconMapPin,
  IconNote,
  IconPlayerPlay,
  IconUser,
} from '@tabler/icons-react'
import { sentenceText, actorText } from '#src/activity/activity-labels.ts'
import { maskedSecret } from '#src/api-keys/api-key-labels.ts'
import { stateBadge, stateOf } from '#src/api-keys/key-state-labels.ts'
import { counted } from '#src/lib/format/count.ts'
import { relativeText } from '#src/lib/format/moment.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { stringifySearch } from '#src/lists/list-search.ts'
import { OUTCOME_BADGES, STATE_BADGES } from '#src/tasks/task-labels.ts'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import {
  apiKeyActions,
  comparisonHref,
  copyId,
  history,
  open,
  taskActions,
  tenantActions,
  userActions,
  versionActions,
} from './record-actions.ts'
import type { Entry } from './entry.ts'

const INACTIVE = { tone: 'bad', text: 'Inactive' } as const
const TENANT_INACTIVE = { tone: 'bad', text: 'Tenant inactive' } as const

export function tenantEntry(tenant: TenantResult): Entry {
  const href = `/tenants/${tenant.id}`
  return {
    ...record(tenant.id, tenant.name),
    hint: tenant.subdomain,
    ...(tenant.status === 'inactive' && { badge: INACTIVE }),
    Icon: IconBuilding,
    href,
    actions: tenantActions(tenant, href),
  }
}

export function noteEntry({ id, tenant_id, text, tenant_name, author_email, created_at }: NoteResult): Entry {
  const href = `/tenants/${tenant_id}`
  return {
    ...record(id, text),
    hint: joined(tenant_name, author_email, relativeText(created_at)),
    Icon: IconNote,
    href,
    actions: [open(href), copyId({ id, label: 'note' })],
  }
}

export function userEntry(user: UserResult): Entry {
  const href = `/users${stringifySearch({ q: user.email })}`
  const badge = user.is_active ? user.tenant_status === 'inactive' && TENANT_INACTIVE : INACTIVE
  return {
    ...record(user.id, user.email),
    hint: joined(ROLE_LABELS[user.role], user.tenant_name),
    ...(badge && { badge }),
    Icon: IconUser,
    href,
    actions: userActions(user, href),
  }
}

export function apiKeyEntry(key: ApiKeyResult): Entry {
  const href = `/keys${stringifySearch({ key: key.id })}`
  return {
    ...record(key.id, key.name),
    hint: joined(key.tenant_name, maskedSecret(key)),
    ...(stateOf(key) !== 'working' && { badge: stateBadge(key, 'short') }),
    Icon: IconKey,
    href,
    actions: apiKeyActions(key, href),
  }
}

export function taskEntry(task: TaskResult): Entry {
  const href = `/tasks/${task.id}`
  const state = taskState(task, { status: task.tenant_status }, serverNow())
  return {
    ...record(task.id, placeLabel(task.extra_data)),
    hint: task.tenant_name,
    ...(state !== 'on_schedule' && { badge: STATE_BADGES[state] }),
    Icon: IconCalendarRepeat,
    href,
    actions: taskActions(task, href),
  }
}

/** Leads to the tasks of the place. A place is not a record, so it is not remembered. */
export function placeEntry({ id, name, address, task_count }: PlaceResult): Entry {
  const href = `/tasks${stringifySearch({ q: id })}`
  return {
    id,
    label: name ?? id,
    hint: joined(address, counted(task_count, 'task')),
    Icon: IconMapPin,
    source: 'result',
    href,
    actions: [open(href), copyId({ id, label: name ?? id })],
  }
}

export function runEntry({ id, task_id, outcome, created_at, tenant_name, place_name }: TaskRunResult): Entry {
  const label = `Run for ${place_name ?? tenant_name}`
  const href = `/tasks/${task_id}${stringifySearch({ run: id })}`
  return {
    ...record(id, label),
    hint: joined(tenant_name, relativeText(created_at)),
    badge: OUTCOME_BADGES[outcome],
    Icon: IconPlayerPlay,
    href,
    actions: [open(href), copyId({ id, label })],
  }
}

export function promptVersionEntry(version: PromptVersionResult): Entry {
  const changes = { from: String(Math.max(1, version.version - 1)), to: String(version.version) }
  const href = comparisonHref(version, changes)
  const { tenant_name } = version
  const { version: number } = version
  return {
    ...record(version.id, tenant_name === null ? `Version ${number}` : `Addendum of ${tenant_name}, version ${number}`),
    hint: joined(version.note, version.author_email ?? 'Switchboard', relativeText(version.created_at)),
    ...(version.is_live && { badge: { tone: 'ok', text: 'Live' } as const }),
    Icon: IconFileText,
    href,
    actions: versionActions(version, href),
  }
}

/** Opens the row over the rows that match. An entry of the log is not remembered: its record is. */
export function activityEntry(row: ActivityResult, term: string): Entry {
  const id = String(row.seq)
  const href = `/settings/activity${stringifySearch({ ...activityFilter(row, term), row: id })}`
  return {
    id: `row-${id}`,
    label: sentenceText(row),
    hint: joined(actorText(row), relativeText(row.at)),
    ...(row.outcome === 'refused' && { badge: { tone: 'bad', text: 'Refused' } as const }),
    Icon: IconHistory,
    source: 'result',
    href,
    actions: [open(href), ...(row.target_id === null ? [] : [history({ target_id: row.target_id })])],
  }
}

/** The filter of the list of activity that finds a row for a term: the id of its record, or the search. */
export function activityFilter({ target_id }: ActivityResult, term: string): Record<string, string> {
  return target_id === term.toLowerCase() ? { target_id } : { q: term }
}

function record(id: string, label: string) {
  return { id, label, source: 'result', recentId: id } as const
}

function joined(...parts: (string | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ')
}
