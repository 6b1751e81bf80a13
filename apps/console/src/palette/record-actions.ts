import type { Capability } from '@switchboard/contract/auth/capabilities'
import { isConsoleRole } from '@switchboard/contract/auth/current-admin'
import type { ApiKeyResult, TaskResult, TenantResult, UserResult } from '@switchboard/contract/palette'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import {
  IconArrowRight,
  IconBan,
  IconCalendarCheck,
  IconCalendarPause,
  IconClockEdit,
  IconCopy,
  IconHistory,
  IconKey,
  IconLock,
  IconPencil,
  IconPlayerPlay,
  IconRefresh,
  IconToggleLeft,
  IconToggleRight,
  IconTrash,
  IconUserCheck,
  IconUserOff,
  type Icon,
} from '@tabler/icons-react'
import { allowed } from '#src/lib/can.ts'
import { copyRecordId } from '#src/lib/copy-id.ts'
import { currentSession } from '#src/lib/session.ts'
import { stringifySearch } from '#src/lists/list-search.ts'
import type { Entry } from './entry.ts'

// The actions of records that the role of the signed-in admin allows. Each leads to the record's screen and presses the
// button of the same label there.

type Filters = Record<string, string>

export function tenantActions(tenant: TenantResult, href: string): Entry[] {
  const { id, name, status } = tenant
  const on = pressing(id, href)
  return allowed([
    open(href),
    on('Edit…', IconPencil, 'Edit'),
    on('Generate Key…', IconKey, 'Generate Key'),
    ...(status === 'active'
      ? [on('Suspend…', IconBan, 'Suspend')]
      : [on('Reactivate', IconPlayerPlay, 'Reactivate'), on('Edit Suspension…', IconClockEdit, 'Edit Suspension')]),
    history({ tenant_id: id }),
    copyId({ id, label: name }),
  ])
}

export function userActions({ id, email, role, is_active }: UserResult, href: string): Entry[] {
  // An account of the console belongs to the team.
  const on = pressing(id, href, isConsoleRole(role) ? 'team' : 'edit')
  const toggle = is_active ? on('Deactivate', IconUserOff, 'Deactivate') : on('Activate', IconUserCheck, 'Activate')
  const edit = on('Edit…', IconPencil, 'Edit')
  const password = isConsoleRole(role) ? [] : [on('Set Password…', IconLock, 'Set Password')]
  return allowed([
    open(href),
    // No admin may change or deactivate their own account there.
    ...(isOwnAccount(id) ? [] : [edit, ...password, toggle]),
    history({ target_type: 'user', target_id: id }),
    copyId({ id, label: email }),
  ])
}

export function apiKeyActions(key: ApiKeyResult, href: string): Entry[] {
  const { id, name, is_active, revoked_at } = key
  // The list finds the key by the ends of its secret.
  const on = pressing(id, `/keys${stringifySearch({ view: 'all', q: `${key.key_start}…${key.key_last4}` })}`)
  const changes = [
    on('Rotate…', IconRefresh, 'Rotate'),
    is_active ? on('Deactivate…', IconToggleLeft, 'Deactivate') : on('Activate', IconToggleRight, 'Activate'),
  ]
  return allowed([
    open(href),
    ...(revoked_at === null ? changes : []),
    { ...on('Delete…', IconTrash, 'Delete'), capability: 'delete', danger: true },
    history({ target_type: 'api_key', target_id: id }),
    copyId({ id, label: name }),
  ])
}

export function taskActions({ id, is_paused, extra_data }: TaskResult, href: string): Entry[] {
  const on = pressing(id, href)
  return allowed([
    open(href),
    on('Run Now', IconPlayerPlay, 'Run Now'),
    is_paused ? on('Resume', IconCalendarCheck, 'Resume') : on('Pause', IconCalendarPause, 'Pause'),
    history({ target_type: 'task', target_id: id }),
    copyId({ id, label: placeLabel(extra_data) }),
  ])
}

function isOwnAccount(id: string): boolean {
  const session = currentSession()
  return session.kind === 'authenticated' && session.admin.id === id
}

export function open(href: string): Entry {
  return link('Open', IconArrowRight, href)
}

function history(filters: Filters): Entry {
  return link('History', IconHistory, `/settings/activity${stringifySearch(filters)}`)
}

export function copyId({ id, label }: { id: string; label: string }): Entry {
  return { id: 'copy-id', label: 'Copy ID', Icon: IconCopy, run: () => void copyRecordId(id, label) }
}

function link(label: string, LinkIcon: Icon, href: string): Entry {
  return { id: label, label, Icon: LinkIcon, href }
}

/** Entries that open a screen and press a button of a record there, by default a change. */
function pressing(id: string, href: string, capability: Capability = 'edit') {
  return (label: string, ActionIcon: Icon, button: string): Entry => ({
    ...link(label, ActionIcon, href),
    capability,
    action: { id, label: button },
  })
}
