import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import { IconChevronRight, IconCornerDownRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { counted, countText } from '#src/lib/format/count.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Day } from '#src/ui/time/day.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { keptUntilText } from '#src/ui/list/deleted-records.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { callTotals, keyLabel, maskedId, maskedSecret } from './api-key-labels.ts'
import { KeyCalls } from './key-calls.tsx'
import css from './key-columns.module.css'
import { stateBadge, stateOf } from './key-state-labels.ts'
import type { Fold } from './key-view.tsx'
import { TestBadge } from '#src/api-keys/settings/test-badge.tsx'

/** The rows of a page with the old keys of each unfolded key. */
export function shownKeys(rows: readonly ApiKeyRow[], { isOpen }: Fold): ApiKeyRow[] {
  return rows.flatMap((key) => [
    key,
    ...(isOpen(key.id) ? key.old_keys.map((old) => ({ ...old, old_keys: [], deleted_at: null })) : []),
  ])
}

/** A list of all keys, which names their tenants; the keys below the head of their tenant; or the keys of one tenant. */
type KeyPlace = 'all' | 'group' | 'tenant'

/** The columns of keys, in every list. Narrow windows leave some out, which the drawer of a key has. */
export function keyColumns(fold: Fold, place: KeyPlace): Column<ApiKeyRow>[] {
  return [
    {
      head: 'Key',
      cell: (key) => <Key apiKey={key} fold={fold} place={place} />,
      sort: { by: 'name', first: 'ascending' },
      skeleton: '65%',
    },
    {
      head: 'Status',
      cell: (key) => <Badge {...stateBadge(key)} dot />,
      sort: { by: 'state', first: 'descending' },
      skeleton: '90px',
    },
    {
      head: 'Allowed origins',
      cell: (key) => <Origins origins={key.allowed_origins} />,
      sort: { by: 'allowed_origins', first: 'ascending' },
      width: '14%',
      visibleFrom: 'medium',
      skeleton: '70%',
    },
    {
      head: 'Calls, 7 days',
      cell: (key) => <KeyCalls calls={key.recent_calls} />,
      sort: { by: 'calls', first: 'descending' },
      skeleton: '80px',
    },
    {
      head: 'Last used',
      cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <RelativeTime moment={last_used_at} />),
      sort: { by: 'last_used_at', first: 'descending' },
      visibleFrom: 'laptop',
      skeleton: '50px',
    },
    {
      head: 'Created',
      cell: ({ created_at }) => <Day moment={created_at} />,
      sort: { by: 'created_at', first: 'descending' },
      visibleFrom: 'laptop',
      skeleton: '50px',
    },
    {
      head: 'Expires',
      cell: (key) => <Expiry apiKey={key} />,
      sort: { by: 'expires_at', first: 'ascending' },
      skeleton: '50px',
    },
  ]
}

/** A key on a phone. */
export function KeyPhoneRow({ apiKey, fold, place }: { apiKey: ApiKeyRow; fold: Fold; place: KeyPlace }) {
  const { all, refused } = callTotals(apiKey.recent_calls)
  return (
    <PhoneRow
      name={
        <div className="line">
          <KeyLink apiKey={apiKey} />
        </div>
      }
      badge={<Badge {...stateBadge(apiKey)} dot />}
      facts={[
        ...(apiKey.environment === 'test' ? [<TestBadge key="environment" apiKey={apiKey} />] : []),
        place === 'all' ? (
          <TenantLink key="tenant" apiKey={apiKey} />
        ) : (
          <span key="id" className={css.mask}>
            {maskedId(apiKey)}
          </span>
        ),
        ...(apiKey.old_keys.length > 0 ? [<OldKeys key="old" apiKey={apiKey} fold={fold} />] : []),
        apiKey.deleted_at !== null ? (
          keptUntilText(apiKey.deleted_at)
        ) : refused > 0 ? (
          <span key="refused" className="ink-bad">
            {countText(refused)} refused
          </span>
        ) : (
          counted(all, 'call')
        ),
      ]}
      truncatedFact={apiKey.environment === 'test' ? 1 : 0}
    />
  )
}

/** Two lines: the name, and the masks. Where there is room, the description and the ends of the secret follow. */
function Key({ apiKey, fold, place }: { apiKey: ApiKeyRow; fold: Fold; place: KeyPlace }) {
  return (
    <div className={place === 'group' ? css.grouped : undefined}>
      <div className={css.fitting}>
        <div className="line">
          <KeyLink apiKey={apiKey} />
          <TestBadge apiKey={apiKey} />
          <OldKeys apiKey={apiKey} fold={fold} />
        </div>
        {apiKey.description !== '' && (
          <span className={css.description} dir="auto" data-tooltip="cut">
            {apiKey.description}
          </span>
        )}
      </div>
      <div className={css.fitting}>
        <div className="line">
          {place === 'all' && <TenantLink apiKey={apiKey} />}
          <span className={css.mask} data-tooltip={`ID ${apiKey.id}`}>
            <span className={place === 'all' ? css.prefix : undefined}>{apiKey.key_prefix}</span>
            {maskedId(apiKey).slice(apiKey.key_prefix.length)}
          </span>
        </div>
        <span className={css.mask} data-tooltip="First and last characters of the secret">
          {maskedSecret(apiKey).slice(apiKey.key_prefix.length)}
        </span>
      </div>
    </div>
  )
}

function Expiry({ apiKey }: { apiKey: ApiKeyRow }) {
  const { expires_at } = apiKey
  if (expires_at === null) return 'Never'
  const isSoon = stateOf(apiKey) === 'expiring' || stateOf(apiKey) === 'in_grace'
  return (
    <span className={isSoon ? 'ink-warn' : undefined}>
      <Day moment={expires_at} />
    </span>
  )
}

/** Opens the drawer of the key, which a deleted key does not have. */
function KeyLink({ apiKey }: { apiKey: ApiKeyRow }) {
  if (apiKey.deleted_at !== null) return <span className={css.name}>{apiKey.name}</span>
  return (
    <>
      {apiKey.grace_ends_at !== null && <IconCornerDownRight size={14} className="ink-3" aria-label="Replaced key" />}
      <Link
        to="."
        search={(before) => ({ ...before, key: apiKey.id })}
        state={(before) => ({ ...before, isKeyOpenedHere: true })}
        resetScroll={false}
        aria-label={keyLabel(apiKey)}
        className={css.name}
        data-tooltip="cut"
        dir="auto"
      >
        {apiKey.name}
      </Link>
    </>
  )
}

/** "1 old", with the switch between folded and unfolded. */
function OldKeys({ apiKey, fold }: { apiKey: ApiKeyRow; fold: Fold }) {
  const count = apiKey.old_keys.length
  if (count === 0) return null
  return (
    <button
      type="button"
      className={css.fold}
      aria-expanded={fold.isOpen(apiKey.id)}
      aria-label={`${counted(count, 'old key')} of ${keyLabel(apiKey)}`}
      onClick={() => fold.toggle(apiKey.id)}
    >
      <IconChevronRight size={12} aria-hidden />
      {countText(count)} old
    </button>
  )
}

/** The name links to the tenant, at its keys. */
function TenantLink({ apiKey: { tenant_id, tenant_name } }: { apiKey: ApiKeyRow }) {
  return (
    <Link
      to="/tenants/$tenantId/keys"
      params={{ tenantId: tenant_id }}
      className={css.tenant}
      data-tooltip="cut"
      dir="auto"
    >
      {tenant_name}
    </Link>
  )
}

/** The first origin and the number of the others; all in the tooltip. */
function Origins({ origins }: { origins: readonly string[] }) {
  const [first, ...others] = origins.map((origin) => origin.replace('https://', ''))
  if (first === undefined) return 'Any origin'
  return (
    <div className="line" data-tooltip={others.length === 0 ? 'cut' : [first, ...others].join(', ')}>
      <span className="cut">{first}</span>
      {others.length > 0 && <span className={css.more}>+{others.length}</span>}
    </div>
  )
}
