import { Button } from '@mantine/core'
import type { Tenant } from '@switchboard/contract/tenants'
import { getTenantHealth } from '@switchboard/contract/tenants/tenant-health'
import { tenantUrl } from '@switchboard/contract/tenants/subdomain'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useMatch } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { attentionQuery } from '#src/dashboard/attention/attention.api.ts'
import { messageOf } from '#src/lib/call-error.ts'
import { useCan } from '#src/lib/can.ts'
import { dayText } from '#src/lib/format/moment.ts'
import { isFirstAttempt } from '#src/lib/query-client.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { deletedTenantQuery, restoreDeleted } from '#src/tenants/deletion/deleted-tenants.api.ts'
import { TYPE_BADGES } from '#src/tenants/tenant-labels.ts'
import { keptUntil, useRestore } from '#src/ui/list/deleted-records.tsx'
import { STATUS_BADGES } from '#src/tenants/tenant-status-labels.ts'
import { tenantQuery } from '#src/tenants/tenants.api.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Breadcrumb } from '#src/ui/page/breadcrumb.tsx'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { IsTab } from '#src/ui/page/is-tab.ts'
import { Page } from '#src/ui/page/page.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { TenantActions } from './tenant-actions.tsx'
import { TenantBanner } from './tenant-banner.tsx'
import { tenantHealthQuery } from './tenant-page.api.ts'
import css from './tenant-page.module.css'
import { problemsOf } from './tenant-problems.ts'
import { TenantTabs } from './tenant-tabs.tsx'

const SUSPENSION_REFETCH_MS = 60_000

const route = getRouteApi('/signed-in/tenants/$tenantId')

/**
 * A tenant: its head, its problems, and its records in tabs. The tab is the last part of the path. On a phone, the head
 * of a tab has one line, so that the rows begin higher.
 */
export function TenantPage() {
  const { tenantId } = route.useParams()
  const isOverview = useMatch({ from: '/signed-in/tenants/$tenantId/', shouldThrow: false }) !== undefined
  const isDense = useIsPhone() && !isOverview
  const {
    data: tenant,
    error,
    refetch,
  } = useQuery({
    ...tenantQuery(tenantId),
    // A worker ends the suspension.
    refetchInterval: ({ state }) => (state.data?.suspended_until ? SUSPENSION_REFETCH_MS : false),
  })
  const health = useQuery(tenantHealthQuery(tenantId))
  const attention = useQuery(attentionQuery(tenantId))
  const isGone = tenant === null || !z.safeParse(getTenantHealth.schema.params, { id: tenantId }).success
  if (isGone || (tenant === undefined && error !== null)) {
    return (
      <Page title="Tenant" breadcrumb={<ToTenants />}>
        {isGone ? (
          <NotFound tenantId={tenantId} />
        ) : (
          <LoadError title="The tenant could not be loaded" queries={[{ error, refetch }]} />
        )}
      </Page>
    )
  }
  // Show the whole head at once: its lines wrap, and would otherwise move the tabs.
  if (tenant === undefined || isFirstAttempt(health) || isFirstAttempt(attention)) {
    return <Page title="Tenant" subtitle="Loading tenant..." breadcrumb={<ToTenants />} />
  }
  const problems = health.data && attention.data ? problemsOf(tenant, health.data, attention.data) : []
  const unknown = health.error ?? attention.error
  return (
    <Page
      title={tenant.name}
      badges={
        <>
          <Badge {...STATUS_BADGES[tenant.status]} dot />
          <Badge {...TYPE_BADGES[tenant.tenant_type]} />
        </>
      }
      subtitle={<Site tenant={tenant} />}
      breadcrumb={<ToTenants />}
      action={<TenantActions tenant={tenant} isDense={isDense} />}
      isList={isDense}
    >
      {problems.length === 0 && unknown && <p className={css.unknown}>{messageOf(unknown, 'The state is unknown.')}</p>}
      <TenantBanner tenant={tenant} problems={problems.filter(({ tone }) => !isDense || tone === 'bad')} />
      <TenantTabs tenant={tenant} />
      <IsTab value>
        <Outlet />
      </IsTab>
    </Page>
  )
}

function ToTenants() {
  return (
    <Breadcrumb>
      <Link to="/tenants">Tenants</Link>
    </Breadcrumb>
  )
}

function NotFound({ tenantId }: { tenantId: string }) {
  const { data: deleted, isPending: isSearching } = useQuery(deletedTenantQuery(tenantId))
  const { mutate: restore, isPending } = useRestore(restoreDeleted, ({ name }) => name)
  const canRestore = useCan('delete')
  if (isSearching) return null
  return (
    <EmptyState
      title={deleted ? `${deleted.name} was deleted` : 'Tenant not found'}
      help={
        deleted?.deleted_at
          ? `It can be restored with its users, keys and tasks until ${dayText(keptUntil(deleted.deleted_at))}.`
          : 'It may have been deleted, or the link is incomplete. The activity of a deleted tenant remains.'
      }
      action={
        <div className={css.ways}>
          {deleted && canRestore && (
            <Button disabled={isPending} onClick={() => restore(deleted)}>
              Restore
            </Button>
          )}
          <ButtonLink to="/tenants" variant="default">
            All Tenants
          </ButtonLink>
          <ButtonLink to="/settings/activity" search={{ tenant_id: tenantId }} variant="default">
            Its Activity
          </ButtonLink>
        </div>
      }
    />
  )
}

/** The public site of a tenant. */
function Site({ tenant }: { tenant: Tenant }) {
  const url = tenantUrl(tenant.subdomain, consoleSettings.platform_domain)
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={css.site}>
      {url.replace('https://', '')}
      <IconExternalLink size={14} aria-label="opens in a new tab" />
    </a>
  )
}
