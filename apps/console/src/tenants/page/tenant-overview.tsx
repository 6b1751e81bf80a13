import type { Tenant } from '@switchboard/contract/tenants'
import type { TenantCalls } from '@switchboard/contract/api-keys/tenant-calls'
import { dayOf } from '@switchboard/contract/wire/days'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CallsChart } from '#src/api-keys/diagnosis/calls-chart.tsx'
import { isFirstAttempt } from '#src/lib/query-client.ts'
import { utcDayText } from '#src/lib/format/moment.ts'
import { ratingHistoryQuery } from '#src/reviews/tenant-reviews.api.ts'
import { TenantNotes } from '#src/tenants/notes/tenant-notes.tsx'
import { useTenant } from '#src/tenants/tenants.api.ts'
import { Section } from '#src/ui/card/section.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import columns from '#src/ui/page/with-facts.module.css'
import { TenantPortalSignIns } from '#src/users/portal-sign-ins/tenant-portal-sign-ins.tsx'
import { TenantDetails } from './tenant-details.tsx'
import { TenantFacts, TenantIdentity } from './tenant-facts.tsx'
import { tenantHealthQuery } from './tenant-page.api.ts'
import { tenantCallsQuery } from './tenant-overview.api.ts'
import { TenantTimeline } from './tenant-timeline.tsx'

const route = getRouteApi('/signed-in/tenants/$tenantId/')

/** The calls and the last activity of a tenant, beside its facts and notes. The page has loaded the tenant. */
export function TenantOverview() {
  const { tenantId } = route.useParams()
  const tenant = useTenant(tenantId)
  const calls = useQuery(tenantCallsQuery(tenantId))
  const ratings = useQuery(ratingHistoryQuery(tenantId))
  if (!tenant || [calls, ratings].some(isFirstAttempt)) return null
  return (
    <div className={columns.columns}>
      <div className={columns.first}>
        <Calls tenant={tenant} calls={calls} />
      </div>
      <div className={columns.facts}>
        <TenantFacts tenant={tenant} places={ratings.data?.places ?? []} />
        <TenantDetails tenant={tenant} />
        <TenantNotes tenantId={tenantId} />
        <TenantIdentity tenant={tenant} />
      </div>
      <div className={columns.rest}>
        <TenantTimeline tenantId={tenantId} />
        <TenantPortalSignIns tenantId={tenantId} />
      </div>
    </div>
  )
}

function Calls({ tenant, calls }: { tenant: Tenant; calls: UseQueryResult<TenantCalls> }) {
  const inactiveSince = useQuery(tenantHealthQuery(tenant.id)).data?.inactive_since ?? null
  const title = tenant.test_api_key_count > 0 ? 'Calls of live keys' : 'Calls'
  if (calls.data?.days.some(({ counts }) => Object.keys(counts).length > 0))
    return <CallsChart calls={calls.data} title={title} Frame={Section} mark={suspensionMark(inactiveSince)} />
  return (
    <Section title={title}>
      {calls.data ? (
        <p className="ink-3">No calls in the last {calls.data.days.length} days.</p>
      ) : calls.isError ? (
        <LoadError plain title="The calls could not be loaded" queries={[calls]} />
      ) : (
        <SkeletonItems text="Loading calls..." count={3} />
      )}
    </Section>
  )
}

/** The day of the suspension, in the UTC days of the chart. */
function suspensionMark(at: string | null) {
  if (at === null) return null
  const day = dayOf(Date.parse(at))
  return { day, text: `Suspended ${utcDayText(day)}` }
}
