import type {
  ApiKeyResult,
  NoteResult,
  PlaceResult,
  TaskResult,
  TenantResult,
  UserResult,
} from '@switchboard/contract/palette'
import { isWorkingState } from '@switchboard/contract/api-keys/key-state'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { taskState } from '@switchboard/contract/tasks/task-state'
import { IconBuilding, IconCalendarRepeat, IconKey, IconMapPin, IconNote, IconUser } from '@tabler/icons-react'
import { maskedSecret } from '#src/api-keys/api-key-labels.ts'
import { stateBadge, stateOf } from '#src/api-keys/key-state-labels.ts'
import { counted } from '#src/lib/format/count.ts'
import { relativeText } from '#src/lib/format/moment.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { stringifySearch } from '#src/lists/list-search.ts'
import { STATE_BADGES } from '#src/tasks/task-labels.ts'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import { apiKeyActions, copyId, open, taskActions, tenantActions, userActions } from './record-actions.ts'
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
    ...record(user.id, user.name ?? user.email),
    hint: joined(user.name === null ? null : user.email, ROLE_LABELS[user.role], user.tenant_name),
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
    ...(!isWorkingState(stateOf(key)) && { badge: stateBadge(key) }),
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

function record(id: string, label: string) {
  return { id, label, source: 'result', recentId: id } as const
}

function joined(...parts: (string | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ')
}
