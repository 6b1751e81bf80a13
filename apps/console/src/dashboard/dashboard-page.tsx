import { RECENT_DAYS } from '@switchboard/contract/dashboard'
import type { Trends } from '@switchboard/contract/dashboard/trends'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { attentionQuery } from '#src/dashboard/attention/attention.api.ts'
import { AttentionPanel } from '#src/dashboard/attention/attention-panel.tsx'
import { firstStepsQuery, useGuide } from '#src/dashboard/first-steps/first-steps.api.ts'
import { messagesOf } from '#src/lib/call-error.ts'
import { useCan } from '#src/lib/can.ts'
import { timeText } from '#src/lib/format/moment.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { isFirstAttempt } from '#src/lib/query-client.ts'
import { serverTime } from '#src/lib/server-clock.ts'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { EmptyState, ErrorState, LoadError } from '#src/ui/page/empty-state.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { Section } from '#src/ui/card/section.tsx'
import { CallsSection } from './calls/calls-section.tsx'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { callDays, tenantAnalyticsQuery, trendsQuery, userAnalyticsQuery } from './dashboard.api.ts'
import css from './dashboard-page.module.css'
import panel from './panel.module.css'
import { RefreshAll } from './refresh-all.tsx'
import type { Growth } from './stat-card.tsx'
import { TenantHealth } from './tenant-health.tsx'
import { TenantSection } from './tenant-section.tsx'
import { UserSection } from './user-section.tsx'

const LOADING = 'Loading dashboard...'
const USERS = 'User Management Overview'
const TENANTS = 'Client/Tenant Analysis'

const route = getRouteApi('/signed-in/')
const FirstStepsSection = lazyPart(() =>
  import('#src/dashboard/first-steps/first-steps-section.tsx').then((code) => code.FirstStepsSection),
)

/** First steps, records that need attention, users beside tenants, calls, and the first tenants. */
export function DashboardPage() {
  const users = useQuery(userAnalyticsQuery)
  const tenants = useQuery(tenantAnalyticsQuery)
  const attention = useQuery(attentionQuery())
  const recent = useQuery(trendsQuery(RECENT_DAYS))
  const calls = useQuery({ ...trendsQuery(callDays(route.useSearch().days)), placeholderData: keepPreviousData })
  const steps = useQuery(firstStepsQuery)
  const guide = useGuide(steps.data)
  const canEdit = useCan('edit')
  const all = [users, tenants, attention, recent, calls, steps]
  const at = oldest(all)
  // All parts appear together to avoid layout shift, because their heights depend on the data. No part waits for the
  // retries of another one.
  const isLoading =
    all.some((query) => isFirstAttempt(query) && query.errorUpdateCount === 0) || all.every(isFirstAttempt)
  const isFailed = all.every(({ isLoadingError }) => isLoadingError)
  const state = isLoading ? LOADING : at === null ? '' : `Updated ${timeText(at)}`

  function refresh() {
    for (const { refetch } of all) void refetch()
  }

  return (
    <Page
      title="Admin Dashboard"
      subtitle="User management and tenant analytics overview"
      action={<RefreshAll state={state} at={isLoading ? null : at} queries={all} onRefresh={refresh} />}
    >
      <Announcement>{state}</Announcement>
      {isFailed ? (
        <ErrorState
          title="The dashboard could not be loaded"
          message={messagesOf(
            all.map(({ error }) => error),
            'An error occurred',
          )}
          onRetry={refresh}
        />
      ) : (
        <Suspense fallback={<DashboardSkeleton />}>
          {isLoading ? (
            <DashboardSkeleton />
          ) : (
            <div className={css.parts}>
              <NotRefreshed queries={[users, tenants, recent, calls]} />
              {guide.isShown && canEdit && steps.data && <FirstStepsSection steps={steps.data} onHide={guide.hide} />}
              <AttentionPanel query={attention} />
              <div className={panel.columns}>
                <Part title={USERS} query={users}>
                  {(data) => <UserSection title={USERS} analytics={data} growth={growthOf(recent.data, 'users')} />}
                </Part>
                <Part title={TENANTS} query={tenants}>
                  {(data) => (
                    <TenantSection
                      title={TENANTS}
                      analytics={data}
                      totalUsers={users.data?.total_users}
                      growth={growthOf(recent.data, 'tenants')}
                    />
                  )}
                </Part>
              </div>
              {steps.data?.tenant !== null && <CallsSection query={calls} />}
              {tenants.data && <TenantHealth tenants={tenants.data.tenants_with_admins} />}
            </div>
          )}
        </Suspense>
      )}
    </Page>
  )
}

/** What the cells of new users and new tenants show of the days that they count. */
function growthOf(trends: Trends | undefined, figure: 'users' | 'tenants'): Growth | undefined {
  return (
    trends && {
      days: trends.days.map((day) => day[figure]),
      total: trends.total[figure],
      before: trends.before[figure],
    }
  )
}

type PartProps<Data> = { title: string; query: UseQueryResult<Data>; children: (data: Data) => ReactNode }

/** A section of the dashboard, or the reason for which it could not be loaded. */
function Part<Data>({ title, query, children }: PartProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <Section title={title}>
      {query.isError ? (
        <LoadError title="These figures could not be loaded" queries={[query]} />
      ) : (
        <EmptyState title="Loading figures..." />
      )}
    </Section>
  )
}

function NotRefreshed({ queries }: { queries: UseQueryResult[] }) {
  const failed = queries.filter(({ isRefetchError }) => isRefetchError)
  if (failed.length === 0) return null
  const reasons = messagesOf(
    failed.map(({ error }) => error),
    'An error occurred',
  )
  return <Notice tone="bad">The dashboard could not be refreshed. {reasons}</Notice>
}

/** Time of the oldest loaded data, or null before the first load. */
function oldest(queries: UseQueryResult[]): string | null {
  const times = queries.filter(({ data }) => data !== undefined).map(({ dataUpdatedAt }) => dataUpdatedAt)
  return times.length === 0 ? null : serverTime(Math.min(...times))
}
