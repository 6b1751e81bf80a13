import type { AuditRow } from '@switchboard/contract/activity'
import {
  type Icon,
  IconBan,
  IconCalendarEvent,
  IconHistory,
  IconKey,
  IconMessage,
  IconNote,
  IconPencil,
  IconPlayerPlay,
  IconUser,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { createElement } from 'react'
import { actorText, shortActorText } from '#src/activity/actor-labels.ts'
import { sentenceOf } from '#src/activity/activity-labels.ts'
import { serverDay } from '#src/lib/server-clock.ts'
import { Section } from '#src/ui/card/section.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { recentActivityQuery } from './tenant-overview.api.ts'
import css from './tenant-timeline.module.css'

const ICONS: Readonly<Record<string, Icon>> = {
  tenants: IconPencil,
  notes: IconNote,
  users: IconUser,
  api_keys: IconKey,
  tasks: IconCalendarEvent,
  prompts: IconMessage,
}

/** The last changes of a tenant and its records: who did what, and what follows. */
export function TenantTimeline({ tenantId }: { tenantId: string }) {
  const activity = useQuery(recentActivityQuery(tenantId))
  return (
    <Section
      title="Activity"
      action={
        <Link
          to="/tenants/$tenantId/activity"
          params={{ tenantId }}
          search={{ from: serverDay(6) }}
          className="text-link target accent"
          resetScroll={false}
        >
          All of the last 7 days
        </Link>
      }
    >
      {activity.isLoadingError ? (
        <LoadError plain title="The activity could not be loaded" queries={[activity]} />
      ) : activity.data === undefined ? (
        <SkeletonItems text="Loading activity..." count={3} />
      ) : activity.data.rows.length === 0 ? (
        <p className="ink-3">No activity yet.</p>
      ) : (
        <ul>
          {activity.data.rows.map((row) => (
            <Event key={row.seq} row={row} tenantId={tenantId} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Event({ row, tenantId }: { row: AuditRow; tenantId: string }) {
  const { text, name } = sentenceOf(row)
  // The page has the name of its tenant.
  const isOfPage = row.target_id === tenantId
  const what = isOfPage ? text.replace(/ of tenant$/, '') : text
  const about = row.target_type === 'task' ? name?.replace(` for ${row.tenant_name}`, '') : name
  const result = resultOf(row)
  return (
    <li className={css.event}>
      {createElement(iconOf(row), { size: 16, stroke: 1.75, 'aria-hidden': true })}
      <div className="grow">
        <span data-tooltip={actorText(row)}>
          <bdi className="strong">{row.actor_name ?? shortActorText(row.actor_email)}</bdi>
        </span>{' '}
        {what.charAt(0).toLowerCase() + what.slice(1)}
        {!isOfPage && (
          <>
            {' '}
            <bdi className="strong">{about}</bdi>
          </>
        )}
        {result !== null && <p className="ink-3">{result}</p>}
      </div>
      <span className={css.when}>
        <RelativeTime moment={row.at} />
      </span>
    </li>
  )
}

function iconOf({ action, changed }: AuditRow): Icon {
  if (changed['status']) return changed['status'] === 'inactive' ? IconBan : IconPlayerPlay
  return ICONS[action.split('.')[0] ?? ''] ?? IconHistory
}

/** What a change means for calls, tasks and people. A refusal and a suspension have their reason. */
function resultOf({ action, outcome, changed, reason }: AuditRow): string | null {
  if (outcome === 'refused') return reason
  if (changed['status'] === 'inactive')
    return [reason && sentence(reason), 'Its calls are refused and its tasks skipped.'].filter(Boolean).join(' ')
  if (changed['status'] === 'active')
    return [reason && sentence(reason), 'Its keys work and its tasks run again.'].filter(Boolean).join(' ')
  if (action === 'api_keys.delete' || (action === 'api_keys.toggle' && changed['is_active'] === false))
    return 'Its calls are refused.'
  if (changed['is_paused'] === true) return 'It does not run until it is resumed.'
  return reason
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
