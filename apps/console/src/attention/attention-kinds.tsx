import type { Attention, AttentionTask, UntrustedProxy } from '@switchboard/contract/dashboard'
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
  IconUserExclamation,
} from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { refusalsText } from '#src/api-keys/key-outcome-labels.ts'
import { counted } from '#src/lib/format/count.ts'
import { relativeText } from '#src/lib/format/moment.ts'
import { AttentionKind, type AttentionKindProps, type AttentionRecord } from './attention-kind.tsx'
import css from './attention-panel.module.css'

const REFUSED = `with refused calls (${REFUSED_DAYS} days)`
const LATE = `over ${LATE_AFTER_MINUTES} minutes late`
const BLOCKED = { outcome: 'tenant_inactive', is_replaced: false } as const
const SOON = `within ${EXPIRING_DAYS} days`

/** The kinds with records, the most severe first; one line without records. */
export function AttentionKinds({ attention }: { attention: Attention }) {
  const kinds = bySeverity(attention).filter(({ count }) => count > 0)
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

/** Most severe kind first: refused assistants, tasks that do not run, problems to come, choices of an admin. */
function bySeverity(attention: Attention): Kind[] {
  return [
    kindOf(attention.keys_refused, {
      tone: 'bad',
      Icon: IconKeyOff,
      labels: [`key ${REFUSED}`, `keys ${REFUSED}`],
      list: { to: '/keys', search: { attention: 'keys_refused' } },
      // A tenant that was deactivated since has no other reason any more.
      recordOf: ({ refusals, ...key }) => {
        const isBlocked = key.tenant_status !== 'active'
        return keyRecord(key, refusalsText(isBlocked ? { ...refusals, ...BLOCKED } : refusals, true))
      },
    }),
    kindOf(attention.tasks_late, {
      tone: 'bad',
      Icon: IconClockExclamation,
      labels: [`task ${LATE}`, `tasks ${LATE}`],
      list: { to: '/tasks', search: { state: 'late' } },
      recordOf: (task) => taskRecord(task, task.at === null ? '' : `due ${relativeText(task.at)}`),
    }),
    kindOf(attention.tasks_failing, {
      tone: 'bad',
      Icon: IconAlertTriangle,
      labels: ['task failed its last run', 'tasks failed their last run'],
      list: { to: '/tasks', search: { state: 'failing' } },
      recordOf: (task) => taskRecord(task, task.reason ?? ''),
    }),
    kindOf(attention.keys_expiring, {
      tone: 'warn',
      Icon: IconHourglassLow,
      labels: [`active key expires ${SOON}`, `active keys expire ${SOON}`],
      list: { to: '/keys', search: { attention: 'keys_expiring' } },
      recordOf: (key) => keyRecord(key, relativeText(key.expires_at)),
    }),
    kindOf(attention.tenants_without_admin, {
      tone: 'warn',
      Icon: IconUserExclamation,
      labels: ['active tenant lacks an active admin', 'active tenants lack an active admin'],
      list: { to: '/tenants', search: { attention: 'no_active_admin' } },
      recordOf: ({ id, name, admin_count }) => ({
        name,
        // An existing user can be activated. Without users, an admin has to be created.
        link: { to: admin_count > 0 ? '/users' : '/users/create', search: { tenant_id: id } },
        about: admin_count > 0 ? `${counted(admin_count, 'user')}, no active admin` : 'no users',
      }),
    }),
    kindOf(attention.tasks_paused, {
      tone: 'quiet',
      Icon: IconPlayerPause,
      labels: ['task is paused', 'tasks are paused'],
      list: { to: '/tasks', search: { state: 'paused' } },
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

/** "Harbor Dental: Corner Bakery, 12 High St"; the place alone if its name contains the tenant's name. */
function taskRecord(task: AttentionTask, about: string): AttentionRecord {
  const place = placeLabel(task)
  const name = place.includes(task.tenant_name) ? place : `${task.tenant_name}: ${place}`
  return { name, link: { to: '/tasks/$taskId', params: { taskId: task.id } }, about }
}

type NamedKey = Pick<Attention['keys_refused']['first'][number], 'id' | 'name' | 'tenant_name'>

/** A link that opens the key. */
function keyRecord({ id, name, tenant_name }: NamedKey, about: string): AttentionRecord {
  return {
    // A generated name contains the tenant's name.
    name: name.includes(tenant_name) ? name : `${name} of ${tenant_name}`,
    link: { to: '/keys', search: { key: id } },
    about,
  }
}
