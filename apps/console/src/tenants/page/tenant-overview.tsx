import type { KeyCalls } from '@switchboard/contract/api-keys/key-calls'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { actorText, sentenceOf } from '#src/activity/activity-labels.ts'
import { attentionQuery } from '#src/dashboard/attention/attention.api.ts'
import { AttentionPanel } from '#src/dashboard/attention/attention-panel.tsx'
import { CallsChart } from '#src/api-keys/diagnosis/calls-chart.tsx'
import { RatingHistory } from '#src/reviews/rating-history.tsx'
import { ratingHistoryQuery } from '#src/reviews/tenant-reviews.api.ts'
import { isFirstAttempt } from '#src/lib/query-client.ts'
import { TenantNotesCard } from '#src/tenants/notes/tenant-notes-card.tsx'
import { useTenant } from '#src/tenants/tenants.api.ts'
import { Card } from '#src/ui/card/card.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { Fact, Facts } from '#src/ui/card/facts.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { PortalSignInsCard } from '#src/users/portal-sign-ins/portal-sign-ins-card.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { TenantDetails } from './tenant-details.tsx'
import css from './tenant-overview.module.css'
import { recentActivityQuery, tenantCallsQuery } from './tenant-overview.api.ts'

const route = getRouteApi('/signed-in/tenants/$tenantId/')

/** The problems, the calls, the last activity, the portal sign-ins and the settings of a tenant, whose page has loaded the tenant. */
export function TenantOverview() {
  const { tenantId } = route.useParams()
  const attention = useQuery(attentionQuery(tenantId))
  const calls = useQuery(tenantCallsQuery(tenantId))
  const hasTasks = (useTenant(tenantId)?.task_count ?? 0) > 0
  const ratings = useQuery(ratingHistoryQuery(tenantId))
  return (
    <div className={css.parts}>
      <AttentionPanel query={attention} tenantId={tenantId} />
      {![attention, calls, ratings].some(isFirstAttempt) && (
        <div className={css.cards}>
          <div className={css.column}>
            <Calls tenantId={tenantId} calls={calls} />
            {hasTasks && <RatingHistory tenantId={tenantId} action={<AllReviews tenantId={tenantId} />} />}
            <Settings tenantId={tenantId} />
            <TenantNotesCard tenantId={tenantId} />
          </div>
          <div className={css.column}>
            <TenantDetails tenantId={tenantId} />
            <LastActivity tenantId={tenantId} />
            <PortalSignInsCard tenantId={tenantId} />
          </div>
        </div>
      )}
    </div>
  )
}

function Calls({ tenantId, calls }: { tenantId: string; calls: UseQueryResult<KeyCalls> }) {
  const title = useTenant(tenantId)?.test_api_key_count ? 'Calls of live keys' : 'Calls'
  if (calls.data) return <CallsChart calls={calls.data} title={title} Frame={Card} />
  return (
    <Card title={title}>
      {calls.isError ? (
        <LoadError plain title="The calls could not be loaded" queries={[calls]} />
      ) : (
        <SkeletonItems text="Loading calls..." count={3} />
      )}
    </Card>
  )
}

function AllReviews({ tenantId }: { tenantId: string }) {
  return (
    <Link to="/tenants/$tenantId/reviews" params={{ tenantId }} className={css.all} resetScroll={false}>
      All reviews
    </Link>
  )
}

function LastActivity({ tenantId }: { tenantId: string }) {
  const activity = useQuery(recentActivityQuery(tenantId))
  return (
    <Card
      title="Last activity"
      action={
        <Link to="/tenants/$tenantId/activity" params={{ tenantId }} className={css.all} resetScroll={false}>
          All activity
        </Link>
      }
    >
      {activity.isLoadingError ? (
        <LoadError plain title="The activity could not be loaded" queries={[activity]} />
      ) : activity.data === undefined ? (
        <SkeletonItems text="Loading activity..." count={3} />
      ) : activity.data.rows.length === 0 ? (
        <EmptyState plain title="No activity yet" />
      ) : (
        <ul className={css.rows}>
          {activity.data.rows.map((row) => {
            const { text, name } = sentenceOf(row)
            return (
              <li key={row.seq}>
                <span className={css.what}>
                  {text} <bdi>{name}</bdi>
                </span>
                <span className={css.who}>
                  <bdi>{actorText(row)}</bdi> · <RelativeTime moment={row.at} />
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

function Settings({ tenantId }: { tenantId: string }) {
  const tenant = useTenant(tenantId)
  if (!tenant) return null
  return (
    <Card title="Settings">
      <Facts>
        <Fact term="Goal">
          <span dir="auto" className={css.goal}>
            {tenant.goal === '' ? 'None' : tenant.goal}
          </span>
        </Fact>
        <Fact term="Aggressiveness">{tenant.aggressiveness.toFixed(1)}</Fact>
        <Fact term="ID">
          <code>{tenant.id}</code>
        </Fact>
      </Facts>
    </Card>
  )
}
