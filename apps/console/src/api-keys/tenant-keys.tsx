import { Button } from '@mantine/core'
import type { ApiKey } from '@switchboard/contract/api-keys'
import type { Tenant } from '@switchboard/contract/tenants'
import { IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { EmptyState, ErrorState } from '#src/ui/page/empty-state.tsx'
import { SkeletonItems } from '#src/ui/table/skeleton.tsx'
import { SelectBox } from '#src/ui/table/select-box.tsx'
import { useRowSelection } from '#src/ui/table/use-row-selection.ts'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { messageOf } from '#src/lib/call-error.ts'
import type { Selection } from '#src/lists/selection.ts'
import { byRefusals, inPairs, keySummary } from './api-key-labels.ts'
import { apiKeysQuery } from './api-keys.api.ts'
import type { KeyAction } from './api-key-item.tsx'
import { ApiKeyItem } from './api-key-item.tsx'
import css from './tenant-keys.module.css'

const SKELETONS = Array.from({ length: 8 }, (_, n) => n)

type Props = {
  tenant: Tenant
  isOpen: boolean
  /** The ids of the shown keys; undefined shows all keys. */
  only: ReadonlySet<string> | undefined
  /** True: the most refused key first. False: each key directly before its predecessors. */
  isByRefusals: boolean
  selection: Selection
  onToggle: () => void
  onGenerate: () => void
  onAction: (kind: KeyAction, apiKey: ApiKey) => void
}

/** A tenant with its summary; expanding the tenant fetches its keys. */
export function TenantKeys(props: Props) {
  const { tenant, isOpen, onToggle, onGenerate } = props
  const id = useId()
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
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={14} aria-hidden />}
          classNames={{ label: css.generateLabel, section: css.generateIcon }}
          aria-label={`Generate Key for ${tenant.name}`}
          onClick={onGenerate}
        >
          Generate Key
        </Button>
      </div>
      <div id={`${id}-keys`} hidden={!isOpen}>
        {isOpen && <Keys {...props} />}
      </div>
    </section>
  )
}

function Keys({ tenant, only, isByRefusals, selection, onAction }: Omit<Props, 'isOpen' | 'onToggle' | 'onGenerate'>) {
  const keys = useQuery(apiKeysQuery(tenant.id))
  const order = isByRefusals ? byRefusals : inPairs
  const shown = order(keys.data ?? []).filter(({ id }) => only === undefined || only.has(id))
  const rowSelection = useRowSelection(
    shown.map(({ id }) => id),
    selection,
  )
  if (keys.isPending)
    return <SkeletonItems text="Loading keys..." count={Math.min(Math.max(tenant.api_key_count, 1), 5)} />
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
  if (keys.data.length === 0) {
    return <EmptyState plain title="No keys yet." help="Generate a key to connect an assistant." />
  }
  const isWhole = shown.length === keys.data.length
  return (
    <>
      <div className={css.checkbox}>
        <SelectBox
          label={`Select all keys ${isWhole ? '' : 'shown '}of ${tenant.name}`}
          isSelected={rowSelection.isAll}
          isIndeterminate={rowSelection.isIndeterminate}
          onSelect={rowSelection.selectAll}
        />
        <span aria-hidden>{isWhole ? 'All keys of this tenant' : 'All keys shown'}</span>
        {!isWhole && (
          <Link to="/keys" search={{ q: tenant.subdomain, open: tenant.id }} className={css.whole}>
            Show all {keys.data.length} keys<span className={hidden.hidden}> of {tenant.name}</span>
          </Link>
        )}
      </div>
      <ul aria-label={`API keys of ${tenant.name}`}>
        {shown.map((apiKey, n) => (
          <ApiKeyItem
            key={apiKey.id}
            apiKey={apiKey}
            isSelected={selection.ids.has(apiKey.id)}
            onSelect={(isSelected, isRange) => rowSelection.selectRow(apiKey.id, isSelected, isRange)}
            successor={keys.data.find(({ id }) => id === apiKey.rotated_to)}
            isIndented={apiKey.rotated_to !== null && apiKey.rotated_to === shown[n - 1]?.id}
            onAction={(kind) => onAction(kind, apiKey)}
          />
        ))}
      </ul>
    </>
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
