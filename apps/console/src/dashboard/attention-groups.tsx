import type { Attention, AttentionTask } from '@switchboard/contract/analytics'
import { EXPIRING_DAYS } from '@switchboard/contract/key-outcomes'
import {
  type Icon,
  IconAlertTriangle,
  IconClockExclamation,
  IconHourglassLow,
  IconKeyOff,
  IconPlayerPause,
  IconUserExclamation,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { OUTCOME_WORDS } from '#src/api-keys/outcome-words.ts'
import { counted, countText } from '#src/lib/count.ts'
import { relativeText } from '#src/lib/moment.ts'
import { SCHEDULE_WORDS } from '#src/tasks/task-words.ts'
import css from './attention-panel.module.css'

type Group = {
  kind: keyof Attention
  tone: 'bad' | 'warn' | 'quiet'
  Icon: Icon
  /** How many, as a link to the list that shows them. */
  title: ReactNode
  /** The most urgent ones, each a link to where it is mended. */
  first: { id: string; link: ReactNode; about: string }[]
}

/** The kinds that there is something of, the most pressing first, in words. */
export function attentionGroups(attention: Attention): Group[] {
  const groups: Group[] = [
    {
      kind: 'tasks_late',
      tone: 'bad',
      Icon: IconClockExclamation,
      title: (
        <Link to="/tasks" search={{ status: 'late' }} className={css.all}>
          {howMany(attention.tasks_late, 'late run', 'late runs')}
        </Link>
      ),
      first: attention.tasks_late.first.map((task) =>
        taskLine(task, task.at === null ? '' : `due ${relativeText(task.at)}`),
      ),
    },
    {
      kind: 'tasks_failing',
      tone: 'bad',
      Icon: IconAlertTriangle,
      title: (
        <Link to="/tasks" search={{ status: 'failing' }} className={css.all}>
          {howMany(attention.tasks_failing, 'task failed its last run', 'tasks failed their last run')}
        </Link>
      ),
      first: attention.tasks_failing.first.map((task) => taskLine(task, task.reason ?? '')),
    },
    {
      kind: 'keys_refused',
      tone: 'bad',
      Icon: IconKeyOff,
      title: (
        <Link to="/keys" search={{ attention: 'keys_refused' }} className={css.all}>
          {howMany(attention.keys_refused, 'key is refused often', 'keys are refused often')}
        </Link>
      ),
      first: attention.keys_refused.first.map(({ refused, outcome, is_replaced, ...key }) =>
        keyLine(
          key,
          is_replaced
            ? `replaced, yet still tried: ${counted(refused, 'call')} refused`
            : `${counted(refused, 'call')} refused: ${lowerFirst(OUTCOME_WORDS[outcome])}`,
        ),
      ),
    },
    {
      kind: 'keys_expiring',
      tone: 'warn',
      Icon: IconHourglassLow,
      title: (
        <Link to="/keys" search={{ attention: 'keys_expiring' }} className={css.all}>
          {howMany(attention.keys_expiring, 'key expires', 'keys expire')} within {EXPIRING_DAYS} days
        </Link>
      ),
      first: attention.keys_expiring.first.map(({ expires_at, ...key }) => keyLine(key, relativeText(expires_at))),
    },
    {
      kind: 'tenants_without_admin',
      tone: 'warn',
      Icon: IconUserExclamation,
      title: (
        <Link to="/tenants" search={{ attention: 'no_active_admin' }} className={css.all}>
          {howMany(attention.tenants_without_admin, 'tenant has', 'tenants have')} no active admin
        </Link>
      ),
      first: attention.tenants_without_admin.first.map(({ id, name, admin_count }) => ({
        id,
        // Somebody is let in again, or created.
        link: (
          <Link
            to={admin_count > 0 ? '/users' : '/users/create'}
            search={{ tenant_id: id }}
            className={css.one}
            dir="auto"
            data-tooltip="cut"
          >
            {name}
          </Link>
        ),
        about: admin_count > 0 ? counted(admin_count, 'inactive user') : 'no users',
      })),
    },
    {
      kind: 'tasks_paused',
      tone: 'quiet',
      Icon: IconPlayerPause,
      title: (
        <Link to="/tasks" search={{ status: 'paused' }} className={css.all}>
          {howMany(attention.tasks_paused, 'task is paused', 'tasks are paused')}
        </Link>
      ),
      first: attention.tasks_paused.first.map((task) => taskLine(task, task.reason ?? 'by an admin')),
    },
  ]
  return groups.filter(({ kind }) => attention[kind].count > 0)
}

/** "3 tasks are paused", "1,000+ tasks are paused". */
function howMany({ count, is_more }: { count: number; is_more: boolean }, one: string, many: string): string {
  return is_more ? `${countText(count)}+ ${many}` : counted(count, one, many)
}

function taskLine({ id, tenant_name, schedule_name }: AttentionTask, about: string) {
  return {
    id,
    link: (
      <Link to="/tasks/$taskId" params={{ taskId: id }} className={css.one} dir="auto" data-tooltip="cut">
        {SCHEDULE_WORDS[schedule_name]} of {tenant_name}
      </Link>
    ),
    about,
  }
}

/** Leads to the key, marked among those of its tenant. */
function keyLine(
  { id, name, tenant_id, tenant_name, subdomain }: Omit<Attention['keys_expiring']['first'][number], 'expires_at'>,
  about: string,
) {
  return {
    id,
    link: (
      <Link
        to="/keys"
        search={{ q: subdomain, open: tenant_id }}
        hash={id}
        className={css.one}
        dir="auto"
        data-tooltip="cut"
      >
        {/* The name that a key has when nobody gives one says it already. */}
        {name.includes(tenant_name) ? name : `${name} of ${tenant_name}`}
      </Link>
    ),
    about,
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
