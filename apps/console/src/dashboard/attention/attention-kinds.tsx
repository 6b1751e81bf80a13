import type { Attention, AttentionReview, AttentionTask, UntrustedProxy } from '@switchboard/contract/dashboard'
import { LOW_RATING_DAYS } from '@switchboard/contract/reviews/low-ratings'
import { EXPIRING_DAYS, REFUSED_DAYS } from '@switchboard/contract/api-keys/key-outcomes'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { LATE_AFTER_MINUTES } from '@switchboard/contract/tasks/task-state'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClockExclamation,
  IconHourglassLow,
  IconKeyOff,
  IconNetworkOff,
  IconPlayerPause,
  IconStarOff,
  IconUserExclamation,
} from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { refusalsText } from '#src/api-keys/key-outcome-labels.ts'
import { can } from '#src/lib/can.ts'
import { counted } from '#src/lib/format/count.ts'
import { relativeText } from '#src/lib/format/moment.ts'
import { AttentionKind, type AttentionKindProps, type AttentionRecord } from './attention-kind.tsx'
import css from './attention-panel.module.css'

const REFUSED = `with refused calls (${REFUSED_DAYS} days)`
const LATE = `over ${LATE_AFTER_MINUTES} minutes late`
const BLOCKED = { outcome: 'tenant_inactive', is_replaced: false } as const
const LOW = `(${LOW_RATING_DAYS} days)`
const LOW_ONLY = { attention: 'reviews_low' }
const SOON = `within ${EXPIRING_DAYS} days`

/** The kinds with records, the most severe first; one line without records. */
export function AttentionKinds({ attention, tenantId }: { attention: Attention; tenantId: string | undefined }) {
  const kinds = bySeverity(attention, tenantId).filter(({ count }) => count > 0)
  if (kinds.length === 0 && attention.untrusted_proxy === null) {
    return (
      <p className={css.clear}>
        <IconCircleCheck size={18} aria-hidden className={css.ok} />
        Nothing needs attention
      </p>
    )
  }
  return (
    <ul>
      {attention.untrusted_proxy && <UntrustedProxyKind proxy={attention.untrusted_proxy} />}
      {kinds.map(({ element }) => element)}
    </ul>
  )
}

/** A proxy not trusted by the servers, with advice on the setting. Rendered only for an existing proxy. */
function UntrustedProxyKind({ proxy }: { proxy: UntrustedProxy }) {
  return (
    <li className={css.kind}>
      <IconNetworkOff size={18} aria-hidden className={css.bad} />
      <div className={css.title}>Visitors share one address</div>
      <p className={css.sentence}>{proxy.advice}</p>
    </li>
  )
}

type Kind = { count: number; element: ReactElement }

/** Links to the lists of tasks and keys: in the page of a tenant, to its tabs. */
function linksOf(tenantId: string | undefined) {
  return (list: 'tasks' | 'keys', search: { [Name in 'key' | 'state' | 'attention']?: string }) =>
    tenantId === undefined
      ? ({ to: `/${list}`, search } as const)
      : ({ to: `/tenants/$tenantId/${list}`, params: { tenantId }, search } as const)
}

/** Most severe kind first: refused assistants, tasks that do not run, problems to come, choices of an admin. */
function bySeverity(attention: Attention, tenantId: string | undefined): Kind[] {
  const linkTo = linksOf(tenantId)
  const nameOf = tenantId === undefined ? withTenant : (name: string) => name
  return [
    kindOf(attention.keys_refused, {
      tone: 'bad',
      Icon: IconKeyOff,
      labels: [`key ${REFUSED}`, `keys ${REFUSED}`],
      list: linkTo('keys', { attention: 'keys_refused' }),
      // For a tenant that was deactivated since, its deactivation is the only reason shown.
      recordOf: ({ refusals, ...key }) => {
        const isBlocked = key.tenant_status !== 'active'
        const about = refusalsText(isBlocked ? { ...refusals, ...BLOCKED } : refusals, true)
        return { name: nameOf(key.name, key), link: linkTo('keys', { key: key.id }), about }
      },
    }),
    kindOf(attention.tasks_late, {
      tone: 'bad',
      Icon: IconClockExclamation,
      labels: [`task ${LATE}`, `tasks ${LATE}`],
      list: linkTo('tasks', { state: 'late' }),
      recordOf: (task) => taskRecord(task, task.at === null ? '' : `due ${relativeText(task.at)}`),
    }),
    kindOf(attention.tasks_failing, {
      tone: 'bad',
      Icon: IconAlertTriangle,
      labels: ['task failed its last run', 'tasks failed their last run'],
      list: linkTo('tasks', { state: 'failing' }),
      recordOf: (task) => taskRecord(task, task.reason ?? ''),
    }),
    kindOf(attention.keys_expiring, {
      tone: 'warn',
      Icon: IconHourglassLow,
      labels: [`active key expires ${SOON}`, `active keys expire ${SOON}`],
      list: linkTo('keys', { attention: 'keys_expiring' }),
      recordOf: (key) => ({
        name: nameOf(key.name, key),
        link: linkTo('keys', { key: key.id }),
        about: relativeText(key.expires_at),
      }),
    }),
    kindOf(attention.tenants_without_admin, {
      tone: 'warn',
      Icon: IconUserExclamation,
      labels: ['active tenant lacks an active admin', 'active tenants lack an active admin'],
      ...(tenantId === undefined
        ? { list: { to: '/tenants', search: { attention: 'no_active_admin' } } }
        : { title: 'No active admin', list: { to: '/tenants/$tenantId/users', params: { tenantId }, search: {} } }),
      recordOf: ({ id, name, admin_count }) => ({
        name: tenantId === undefined ? name : admin_count > 0 ? 'Users' : 'New User',
        // An existing user can be activated. Without users, an admin has to be created.
        link:
          admin_count > 0 || !can('edit')
            ? { to: '/tenants/$tenantId/users', params: { tenantId: id }, search: {} }
            : { to: '/users/create', search: { tenant_id: id } },
        about: admin_count > 0 ? `${counted(admin_count, 'user')}, no active admin` : 'no users',
      }),
    }),
    kindOf(attention.reviews_low, {
      tone: 'warn',
      Icon: IconStarOff,
      labels: [`new low rating ${LOW}`, `new low ratings ${LOW}`],
      list:
        tenantId === undefined
          ? { to: '/tenants', search: LOW_ONLY }
          : { to: '/tenants/$tenantId/reviews', params: { tenantId }, search: LOW_ONLY },
      recordOf: lowRating,
    }),
    kindOf(attention.tasks_paused, {
      tone: 'quiet',
      Icon: IconPlayerPause,
      labels: ['task is paused', 'tasks are paused'],
      list: linkTo('tasks', { state: 'paused' }),
      recordOf: (task) => taskRecord(task, task.reason ?? 'by an admin'),
    }),
  ]
}

function kindOf<Item extends { id: string }>(
  records: AttentionKindProps<Item>['records'],
  props: Omit<AttentionKindProps<Item>, 'records'>,
): Kind {
  return { count: records.count, element: <AttentionKind key={props.labels[1]} records={records} {...props} /> }
}

function taskRecord(task: AttentionTask, about: string): AttentionRecord {
  return { name: placeOf(task), link: { to: '/tasks/$taskId', params: { taskId: task.id } }, about }
}

/** Leads to the new low ratings of the place. */
function lowRating(review: AttentionReview): AttentionRecord {
  const { tenant_id: tenantId, task_id, rating, first_seen_at } = review
  return {
    name: placeOf(review),
    link: { to: '/tenants/$tenantId/reviews', params: { tenantId }, search: { ...LOW_ONLY, task_id } },
    about: `${counted(rating, 'star')}, ${relativeText(first_seen_at)}`,
  }
}

/** "Harbor Dental: Corner Bakery, 12 High St"; only the place if its name contains the tenant's name. */
function placeOf(record: AttentionTask | AttentionReview): string {
  const place = placeLabel(record)
  return place.includes(record.tenant_name) ? place : `${record.tenant_name}: ${place}`
}

/** "Website of Harbor Dental". A generated name contains the tenant's name. */
function withTenant(name: string, { tenant_name }: { tenant_name: string }): string {
  return name.includes(tenant_name) ? name : `${name} of ${tenant_name}`
}
