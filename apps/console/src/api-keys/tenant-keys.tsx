import { Button } from '@mantine/core'
import type { Tenant } from '@switchboard/contract/tenants'
import { IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { useAllowed, useCan } from '#src/lib/can.ts'
import { totalText } from '#src/lib/format/count.ts'
import { TenantInactiveChip } from '#src/tenants/status/tenant-inactive-chip.tsx'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { EmptyState, ErrorState } from '#src/ui/page/empty-state.tsx'
import { MoreMenu } from '#src/ui/dialog/more-menu.tsx'
import { DataTable } from '#src/ui/table/data-table.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { keyLabel, keySummary } from './api-key-labels.ts'
import { tenantKeysQuery } from './api-keys.api.ts'
import type { KeyView } from './key-view.ts'
import { KeyPhoneRow, shownKeys, tenantKeyColumns } from './key-columns.tsx'
import listCss from './key-list.module.css'
import { KeySwitch } from './key-switch.tsx'
import css from './tenant-keys.module.css'

const SKELETONS = Array.from({ length: 8 }, (_, n) => n)

type Props = { tenant: Tenant; view: KeyView; isOpen: boolean; onToggle: () => void }

/** A tenant with its summary; expanding the tenant fetches its first keys. */
export function TenantKeys({ tenant, view, isOpen, onToggle }: Props) {
  const id = useId()
  const canEdit = useCan('edit')
  return (
    <section className={css.tenant} aria-label={`${tenant.name}, ${tenant.subdomain}`}>
      <div className={css.head}>
        <h2 className={css.heading}>
          <button
            type="button"
            className={css.toggle}
            aria-expanded={isOpen}
            aria-controls={`${id}-keys`}
            onClick={onToggle}
          >
            <IconChevronRight size={16} className={css.chevron} aria-hidden />
            <span className={css.name} dir="auto">
              {tenant.name}
            </span>
            <span className={css.summary}>{keySummary(tenant)}</span>
          </button>
        </h2>
        {canEdit && (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={14} aria-hidden />}
            classNames={{ label: css.generateLabel, section: css.generateIcon }}
            aria-label={`Generate Key for ${tenant.name}`}
            onClick={() => view.onGenerate(tenant)}
          >
            Generate Key
          </Button>
        )}
      </div>
      {tenant.status !== 'active' && tenant.api_key_count > 0 && (
        <div className={css.inactive}>
          <TenantInactiveChip tenant={tenant} />
        </div>
      )}
      <div id={`${id}-keys`} hidden={!isOpen}>
        {isOpen && <Keys tenant={tenant} view={view} />}
      </div>
    </section>
  )
}

function Keys({ tenant, view }: Pick<Props, 'tenant' | 'view'>) {
  const { fold, actionsOf, onSwitch, onDelete, onIntent } = view
  const allowed = useAllowed()
  const keys = useQuery(tenantKeysQuery(tenant.id))
  if (keys.isPending) {
    return <SkeletonItems text="Loading keys..." count={Math.min(Math.max(tenant.api_key_count, 1), 5)} />
  }
  if (keys.isLoadingError) {
    return (
      <ErrorState
        plain
        title="Error loading keys"
        message={`Failed to load API keys: ${messageOf(keys.error, 'An unexpected error occurred.')}`}
        onRetry={() => void keys.refetch()}
      />
    )
  }
  if (keys.data.rows.length === 0) {
    return (
      <EmptyState
        plain
        title="No keys yet."
        help="Generate a key to connect an assistant."
        action={
          <ButtonLink to="/tenants/$tenantId" params={{ tenantId: tenant.id }} variant="default">
            Open tenant
          </ButtonLink>
        }
      />
    )
  }
  return (
    <div className={css.keys}>
      <DataTable
        label={`API keys of ${tenant.name}`}
        columns={tenantKeyColumns(fold)}
        rows={shownKeys(keys.data.rows, fold)}
        rowId={(key) => key.id}
        busy={false}
        isCompact
        nameOf={keyLabel}
        actionsOf={(key) =>
          allowed([
            ...actionsOf(key),
            { label: 'Delete', Icon: IconTrash, capability: 'delete', danger: true, onSelect: () => onDelete(key) },
          ])
        }
        renderActions={(key, actions) => (
          <div className={listCss.actions}>
            <KeySwitch apiKey={key} isLabeled onSwitch={onSwitch} />
            <MoreMenu label={keyLabel(key)} actions={actions} onIntent={onIntent} />
          </div>
        )}
        onIntent={onIntent}
        renderPhoneRow={(key) => <KeyPhoneRow apiKey={key} fold={fold} isOfTenant />}
        footer={
          <Link to="/tenants/$tenantId/keys" params={{ tenantId: tenant.id }} className={css.whole}>
            {keys.data.next === null ? 'Open ' : `Show all ${totalText(keys.data.total)} keys of `}
            <bdi>{tenant.name}</bdi>
          </Link>
        }
      />
    </div>
  )
}

/** Placeholders in the shape of the loaded tenants. */
export function TenantKeysSkeleton() {
  return (
    <>
      {SKELETONS.map((n) => (
        <div key={n} className={css.tenant} aria-hidden>
          <SkeletonItems text={n === 0 ? 'Loading tenants...' : undefined} count={1} />
        </div>
      ))}
    </>
  )
}
