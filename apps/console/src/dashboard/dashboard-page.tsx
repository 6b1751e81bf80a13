import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Announcement } from '#src/ui/page/announcement.tsx'
import { ErrorState } from '#src/ui/page/empty-state.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { messagesOf } from '#src/lib/call-error.ts'
import { fullText, timeText } from '#src/lib/format/moment.ts'
import { AttentionPanel } from '#src/attention/attention-panel.tsx'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { attentionQuery, tenantAnalyticsQuery, userAnalyticsQuery } from './dashboard.api.ts'
import css from './dashboard-page.module.css'
import { TenantSection } from './tenant-section.tsx'
import { UserSection } from './user-section.tsx'

const LOADING = 'Loading dashboard...'

/** Totals and growth of users and tenants, and records that need attention. */
export function DashboardPage() {
  const users = useQuery(userAnalyticsQuery)
  const tenants = useQuery(tenantAnalyticsQuery)
  const attention = useQuery(attentionQuery)
  const all = [users, tenants, attention]
  const isFailed = users.isError || tenants.isError
  const failure = messagesOf([users.error, tenants.error], 'An error occurred')
  const at = oldest(all)
  const isLoaded = users.data !== undefined && tenants.data !== undefined && at !== null
  const state = isLoaded ? `As of ${timeText(at)}` : isFailed ? '' : LOADING

  function refresh() {
    for (const { refetch } of all) void refetch()
  }

  return (
    <Page
      title="Admin Dashboard"
      subtitle="User management and tenant analytics overview"
      action={
        <div className={css.refresh}>
          <span className={css.asOf} data-tooltip={isLoaded ? fullText(at) : ''}>
            {state}
          </span>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            classNames={{ label: css.refreshLabel, section: css.refreshIcon }}
            aria-label="Refresh"
            // Not `loading`: a loading button is disabled and loses the focus.
            aria-busy={isLoaded && all.some(({ isFetching }) => isFetching)}
            className={css.refreshButton}
            onClick={refresh}
          >
            Refresh
          </Button>
        </div>
      }
    >
      <Announcement>{state}</Announcement>
      {isLoaded || !isFailed ? (
        <div className={css.parts}>
          {isFailed && <Notice tone="bad">The dashboard could not be refreshed. {failure}</Notice>}
          <AttentionPanel query={attention} />
          {isLoaded ? (
            <>
              <UserSection analytics={users.data} />
              <TenantSection analytics={tenants.data} totalUsers={users.data.total_users} />
            </>
          ) : (
            <DashboardSkeleton />
          )}
        </div>
      ) : (
        <ErrorState title="The dashboard could not be loaded" message={failure} onRetry={refresh} />
      )}
    </Page>
  )
}

/** Time of the oldest loaded data, or null before the first load. */
function oldest(queries: UseQueryResult[]): string | null {
  const times = queries.filter(({ data }) => data !== undefined).map(({ dataUpdatedAt }) => dataUpdatedAt)
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString()
}
