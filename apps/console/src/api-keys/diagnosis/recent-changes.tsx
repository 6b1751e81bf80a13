import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { activityListOf, activityPageQuery } from '#src/activity/activity.api.ts'
import { actorText } from '#src/activity/actor-labels.ts'
import { sentenceOf } from '#src/activity/activity-labels.ts'
import { messageOf } from '#src/lib/call-error.ts'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { DrawerSection } from './drawer-section.tsx'
import css from './recent-changes.module.css'

const SHOWN = 5

/** The last changes of a key, with a link to all. */
export function RecentChanges({ keyId }: { keyId: string }) {
  const search = { target_type: 'api_key', target_id: keyId } as const
  const changes = useQuery(activityPageQuery({ ...activityListOf(search), limit: SHOWN }))
  return (
    <DrawerSection
      title="Recent changes"
      action={
        <Link to="/settings/activity" search={search} className="text-link accent">
          Full history
        </Link>
      }
    >
      {changes.isError && <p className="ink-bad">{messageOf(changes.error, 'The changes could not be loaded.')}</p>}
      <ul className={css.changes} aria-busy={changes.isPending}>
        {changes.data?.rows.map((row) => (
          <li key={row.seq}>
            {sentenceOf(row).text.replace(/(?: of)?(?: the)? API key$/, '')} by <bdi>{actorText(row)}</bdi> ·{' '}
            <RelativeTime moment={row.at} />
          </li>
        ))}
      </ul>
    </DrawerSection>
  )
}
