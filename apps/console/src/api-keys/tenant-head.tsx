import { Button } from '@mantine/core'
import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import type { TenantKeySummary } from '@switchboard/contract/api-keys/tenant-key-summaries'
import type { Tenant } from '@switchboard/contract/tenants'
import { IconChevronRight, IconPlus } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { messageOf } from '#src/lib/call-error.ts'
import type { ListPage } from '#src/lib/call.ts'
import { useCan } from '#src/lib/can.ts'
import { totalText } from '#src/lib/format/count.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import { keySummary, weekText } from './api-key-labels.ts'
import { STATE_BADGES } from './key-state-labels.ts'
import css from './tenant-head.module.css'

type Props = {
  tenant: Tenant
  /** Undefined while loading, and for a tenant without keys. */
  week: TenantKeySummary | undefined
  isOpen: boolean
  onToggle: () => void
  onGenerate: () => void
}

/** The head of the keys of a tenant: their number, why none is accepted, and their calls. */
export function TenantHead({ tenant, week, isOpen, onToggle, onGenerate }: Props) {
  const canEdit = useCan('edit')
  const isPhone = useIsPhone(1_000)
  const reason = refusalOf(tenant, week)
  return (
    <div className={css.head}>
      <button
        type="button"
        className={css.toggle}
        aria-expanded={isOpen}
        aria-label={`Keys of ${tenant.name}`}
        onClick={onToggle}
      >
        <IconChevronRight size={16} className={css.chevron} aria-hidden />
      </button>
      <Link
        to="/tenants/$tenantId/keys"
        params={{ tenantId: tenant.id }}
        className={css.name}
        data-tooltip="cut"
        dir="auto"
      >
        {tenant.name}
      </Link>
      <div className={css.facts}>
        <span>{keySummary(tenant)}</span>
        {reason && <Badge {...reason} dot />}
        {week && <span className={`${css.week} ${week.refused > 0 ? css.refused : ''}`}>{weekText(week)}</span>}
      </div>
      {canEdit && !isPhone && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          className={css.generate}
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-label={`Generate Key for ${tenant.name}`}
          onClick={onGenerate}
        >
          Generate Key
        </Button>
      )}
    </div>
  )
}

/** Why none of the keys of a tenant is accepted; null without keys and with an active one. */
function refusalOf(tenant: Tenant, week: TenantKeySummary | undefined) {
  if (tenant.api_key_count === 0 || tenant.working_api_key_count > 0) return null
  if (tenant.status !== 'active') return STATE_BADGES.blocked
  if (week === undefined) return null
  if (week.state === null) return { tone: 'bad', text: 'No active key' } as const
  const { tone, text } = STATE_BADGES[week.state]
  // Not "Inactive": beside the name, it would say so of the tenant.
  return { tone, text: `${tenant.api_key_count === 1 ? 'Key' : 'Keys'} ${text.toLowerCase()}` }
}

type MessageProps = { tenant: Tenant; keys: UseQueryResult<ListPage<ApiKeyRow[]>> }

/** What stands below the head of a tenant instead of all its keys. */
export function KeysMessage({ tenant, keys }: MessageProps) {
  return (
    <div className={css.message}>
      {keys.isPending ? (
        'Loading keys...'
      ) : keys.isLoadingError ? (
        <>
          <strong>Error loading keys</strong>
          <span>Failed to load API keys: {messageOf(keys.error, 'An unexpected error occurred.')}</span>
          <Button variant="default" size="compact-md" onClick={() => void keys.refetch()}>
            Try Again
          </Button>
        </>
      ) : keys.data.rows.length === 0 ? (
        'No keys yet. Generate a key to connect an assistant.'
      ) : (
        <Link to="/tenants/$tenantId/keys" params={{ tenantId: tenant.id }} className="text-link accent">
          Show all {totalText(keys.data.total)} keys of <bdi>{tenant.name}</bdi>
        </Link>
      )}
    </div>
  )
}
